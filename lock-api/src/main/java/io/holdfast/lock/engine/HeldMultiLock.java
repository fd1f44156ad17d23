/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The lease of several locks as users hold it: a view of a {@link MultiLockLife}. */
final class HeldMultiLock extends EngineLease {

  /** Nobody else refers to them; with this, they are released if nobody can release it. */
  private final List<HeldLease> leases;

  HeldMultiLock(MultiLockLife life, List<HeldLease> leases) {
    super(life);
    this.leases = leases;
  }

  @Override
  public String lockName() {
    return String.join(", ", lockNames());
  }

  @Override
  public List<String> lockNames() {
    return leases.stream().map(HeldLease::lockName).toList();
  }

  @Override
  public Share share() {
    return Share.LOCK;
  }

  @Override
  public Lease downgrade() {
    throw new IllegalStateException(
        "%s is of locks, and only a writer can be downgraded".formatted(this));
  }

  @Override
  public CompletableFuture<Lease> downgradeAsync() {
    return CompletableFuture.completedFuture(downgrade());
  }

  @Override
  public String ownerId() {
    return leases.stream().map(HeldLease::ownerId).collect(Collectors.joining(", "));
  }

  @Override
  public long fencingToken() {
    throw new UnsupportedOperationException(
        "A lease of several locks has a token for each: use fencingToken(lockName)");
  }

  @Override
  public long fencingToken(String lockName) {
    return leases.stream()
        .filter(lease -> lease.lockName().equals(lockName))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s is not of lock '%s'".formatted(this, VisibleText.of(lockName))))
        .fencingToken();
  }

  /** Each may have a transaction of its own, and these would not end together. */
  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    Objects.requireNonNull(type, "type");
    return Optional.empty();
  }

  @Override
  public void onRenewalFailing(Duration left, Consumer<? super LockEvent.RenewalFailed> callback) {
    leases.forEach(lease -> lease.onRenewalFailing(left, callback));
  }

  @Override
  public void onRenewalFailing(Consumer<? super LockEvent.RenewalFailed> callback) {
    leases.forEach(lease -> lease.onRenewalFailing(callback));
  }

  @Override
  void pin() {
    leases.forEach(HeldLease::pin);
  }
}
