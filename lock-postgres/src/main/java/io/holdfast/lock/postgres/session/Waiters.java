/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.spi.ClaimSignals;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who waits for which key. Of a key that nobody waits for nothing is kept: a client may see many
 * names in its life.
 */
final class Waiters {

  private final ConcurrentHashMap<String, Set<ClaimSignals>> byKey = new ConcurrentHashMap<>();

  void add(String key, ClaimSignals waiter) {
    byKey.compute(
        key,
        (same, present) -> {
          Set<ClaimSignals> waiters = present == null ? ConcurrentHashMap.newKeySet() : present;
          waiters.add(waiter);
          return waiters;
        });
  }

  void remove(String key, ClaimSignals waiter) {
    byKey.computeIfPresent(
        key,
        (same, waiters) -> {
          waiters.remove(waiter);
          return waiters.isEmpty() ? null : waiters;
        });
  }

  void wake(String key) {
    byKey.getOrDefault(key, Set.of()).forEach(ClaimSignals::wake);
  }

  void othersFirst(String key) {
    byKey.getOrDefault(key, Set.of()).forEach(ClaimSignals::othersFirst);
  }

  void wakeAll() {
    byKey.values().forEach(waiters -> waiters.forEach(ClaimSignals::wake));
  }

  /** How many keys somebody waits for. */
  int keys() {
    return byKey.size();
  }
}
