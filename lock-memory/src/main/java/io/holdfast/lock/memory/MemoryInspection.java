/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** What a {@link MemoryServer} says over one line to it. */
final class MemoryInspection implements LockInspection {

  private final MemoryBackend backend;

  MemoryInspection(MemoryBackend backend) {
    this.backend = backend;
  }

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    return backend.send(() -> backend.server.with(lockName, entry -> holder(lockName, entry)));
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
    return backend.send(() -> carryOutEviction(holder));
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

  private boolean isHeldBy(LockEntry entry, LockHolder holder) {
    return entry.isHeld(backend.time.nanos())
        && holder.ownerId().equals(Optional.of(entry.owner))
        && holder.fencingToken().equals(OptionalLong.of(entry.token));
  }
}
