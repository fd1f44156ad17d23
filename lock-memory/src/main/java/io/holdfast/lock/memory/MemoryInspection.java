/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Inspects a {@link MemoryServer} over one line to it. */
final class MemoryInspection implements LockInspection {

  private final MemoryBackend backend;

  MemoryInspection(MemoryBackend backend) {
    this.backend = backend;
  }

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    return holders(lockName).thenApply(held -> held.stream().findFirst());
  }

  @Override
  public CompletionStage<List<LockHolder>> holders(String lockName) {
    return backend.send(() -> backend.server.with(lockName, entry -> holders(lockName, entry)));
  }

  private List<LockHolder> holders(String lockName, LockEntry entry) {
    long now = backend.time.nanos();
    Optional<LockHolder> owner = holder(lockName, entry);
    return owner.isPresent()
        ? List.of(owner.get())
        : entry.shares.grants(now).stream()
            .map(grant -> holder(lockName, grant, entry.shares.capacity(), now))
            .toList();
  }

  private static LockHolder holder(String lockName, Shares.Grant grant, int capacity, long now) {
    return new LockHolder(
        lockName,
        Optional.of(grant.ownerId),
        OptionalLong.of(grant.token),
        Optional.empty(),
        Optional.of(Duration.ofNanos(grant.expiresAt - now)),
        // A holder of more than a capacity that was changed has all of it.
        new Share(Math.min(grant.permits, capacity), capacity));
  }

  private Optional<LockHolder> holder(String lockName, LockEntry entry) {
    long now = backend.time.nanos();
    return entry.isHeld(now)
        ? Optional.of(
            new LockHolder(
                lockName,
                Optional.of(entry.owner),
                OptionalLong.of(entry.token),
                Optional.empty(),
                Optional.of(Duration.ofNanos(entry.expiresAt - now))))
        : Optional.empty();
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return backend.send(() -> backend.server.owners().keySet());
  }

  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    return backend.send(() -> carryOutEviction(holder) || takeShare(holder));
  }

  private boolean carryOutEviction(LockHolder holder) {
    List<MemoryClaim> woken = new ArrayList<>();
    boolean freed =
        backend.server.with(
            holder.lockName(),
            entry -> {
              if (!isHeldBy(entry, holder)) {
                return false;
              }
              entry.owner = "";
              woken.addAll(entry.waiters);
              return true;
            });
    woken.forEach(MemoryClaim::wake);
    return freed;
  }

  private boolean takeShare(LockHolder holder) {
    return changed(
        holder.lockName(),
        shares -> {
          long now = backend.time.nanos();
          String owner = holder.ownerId().orElse("");
          Shares.Grant grant = shares.grantOf(owner, now);
          return grant != null
              && holder.fencingToken().equals(OptionalLong.of(grant.token))
              && shares.remove(owner, now);
        });
  }

  /** Makes a change, and then wakes all that wait for the name, outside the lock. */
  private boolean changed(String lockName, Predicate<Shares> change) {
    List<Runnable> woken = new ArrayList<>();
    boolean done =
        backend.server.with(
            lockName,
            entry -> {
              boolean changes = change.test(entry.shares);
              woken.addAll(entry.shares.toWake(true));
              return changes;
            });
    woken.forEach(Runnable::run);
    return done;
  }

  @Override
  public CompletionStage<Boolean> changeCapacity(String lockName, int from, int to) {
    return backend.send(
        () -> changed(lockName, shares -> shares.changeCapacity(from, to, backend.time.nanos())));
  }

  private boolean isHeldBy(LockEntry entry, LockHolder holder) {
    return entry.isHeld(backend.time.nanos())
        && holder.ownerId().equals(Optional.of(entry.owner))
        && holder.fencingToken().equals(OptionalLong.of(entry.token));
  }
}
