/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.spi.ClaimSignals;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait at a channel, and are woken by its messages.
 *
 * <p><b>One waiter for each release.</b> A message may name one of those who wait, by its owner id
 * after a blank. That one asks at once, and the others are told that it goes first. So a release
 * costs one attempt, however many clients wait, and a client that was named and has died meanwhile
 * costs a moment.
 */
final class ReleaseChannel {

  /** By owner id. */
  final Map<String, ClaimSignals> waiters = new ConcurrentHashMap<>();

  /** The connection to which the server has confirmed the subscription. */
  volatile @Nullable Object confirmedTo;

  /** Whether it will be looked whether nobody waits any more. Guarded by the map of channels. */
  boolean watched;

  /** A message has come: of a release, and perhaps of who is next. */
  void told(String message) {
    // No owner id has a blank.
    int blank = message.indexOf(' ');
    if (blank < 0) {
      wake();
      return;
    }
    ClaimSignals named = waiters.get(message.substring(blank + 1));
    if (named != null) {
      named.wake();
    } else {
      waiters.values().forEach(ClaimSignals::othersFirst);
    }
  }

  void wake() {
    waiters.values().forEach(ClaimSignals::wake);
  }
}
