/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The lease as users hold it: a thin view of a {@link LeaseLife}, which refers to it only weakly.
 * So its end tells that nobody can release the lease any more; and it does not end while the lease
 * is being released, though this may be its last use.
 */
final class HeldLease extends EngineLease {

  private final LeaseLife life;

  private HeldLease(LeaseLife life) {
    super(life);
    this.life = life;
  }

  /** Once for each life. */
  static HeldLease of(LeaseLife life) {
    HeldLease lease = new HeldLease(life);
    life.isSeenBy(lease);
    return lease;
  }

  @Override
  public String lockName() {
    return life.tenure.lockName;
  }

  @Override
  public Share share() {
    return life.share;
  }

  @Override
  public String ownerId() {
    return life.tenure.ownerId;
  }

  @Override
  public long fencingToken() {
    if (life.token == 0) {
      throw new UnsupportedOperationException(
          "This backend has no fencing tokens; see LockClient.capabilities().fencing()");
    }
    return life.token;
  }

  @Override
  public Lease downgrade() {
    return Blocking.awaitUninterruptibly(reader());
  }

  @Override
  public CompletableFuture<Lease> downgradeAsync() {
    CompletableFuture<Lease> outer = new CompletableFuture<>();
    reader()
        .whenComplete(
            (lease, failure) ->
                life.client.callbacks.execute(
                    () -> {
                      if (!EngineLock.forward(outer, lease, failure) && lease != null) {
                        var unused = lease.releaseAsync();
                      }
                    }));
    return outer;
  }

  private CompletableFuture<Lease> reader() {
    return life.downgrade().thenApply(reader -> reader.given(life.origin()));
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    Objects.requireNonNull(type, "type");
    pin();
    return life.tenure.claim.unwrap(type);
  }

  @Override
  public void onRenewalFailing(Duration left, Consumer<? super LockEvent.RenewalFailed> callback) {
    RenewalWarnings.Warning warning =
        new RenewalWarnings.Warning(left, life.client.callbacks, callback);
    pin();
    life.tenure.onStrand(() -> life.warn(warning));
  }

  @Override
  public void onRenewalFailing(Consumer<? super LockEvent.RenewalFailed> callback) {
    onRenewalFailing(
        life.tenure
            .terms
            .earlyWarning()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "The options of lock '%s' have no early warning: set LockOptions.withEarlyWarning, or say how much is left"
                            .formatted(VisibleText.of(lockName())))),
        callback);
  }

  @Override
  void pin() {
    life.pin(this);
  }
}
