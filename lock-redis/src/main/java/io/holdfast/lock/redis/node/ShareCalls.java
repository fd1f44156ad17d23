/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.Share;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.spi.support.Batcher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * As {@link LockCalls}, for names that several owners share: asks for shares of a capacity, and
 * gives them back. The scripts are others, so that a lock costs what it costs without them.
 */
final class ShareCalls {

  /**
   * A share to be taken.
   *
   * @param waits whether to have a place in the queue if it is refused
   */
  record Take(LockKeys keys, String owner, Duration ttl, Share share, boolean waits) {

    Duration placeKept() {
      Duration longest = waits ? PLACE_KEPT : Duration.ZERO;
      return ttl.compareTo(longest) < 0 ? ttl : longest;
    }
  }

  /**
   * For how long a place in the queue is kept without another attempt. A waiter asks more often;
   * the place of a waiter that died keeps others out for as long.
   */
  private static final Duration PLACE_KEPT = Duration.ofSeconds(10);

  private static final int ARGUMENTS = 5;

  private final CommandConnection line;

  /** The requests that have no answer yet. */
  private final Map<Object, List<Take>> unanswered = new ConcurrentHashMap<>();

  private final Batcher<Take, ClaimAnswer> takes =
      new Batcher<>(LockCalls.MOST_IN_ONE, LockCalls.MOST_UNDER_WAY, this::take);
  private final Batcher<LockCalls.Free, LockCalls.Freed> frees =
      new Batcher<>(LockCalls.MOST_IN_ONE, LockCalls.MOST_UNDER_WAY, this::free);

  ShareCalls(CommandConnection line) {
    this.line = line;
  }

  /** The answer, or Lettuce's failure. */
  CompletableFuture<ClaimAnswer> ask(Take take) {
    return takes.ask(take);
  }

  /** The answer, or Lettuce's failure. */
  CompletableFuture<LockCalls.Freed> ask(LockCalls.Free free) {
    return frees.ask(free);
  }

  private CompletableFuture<List<CompletableFuture<ClaimAnswer>>> take(List<Take> shares) {
    String[] keys = new String[2 * shares.size()];
    String[] args = new String[ARGUMENTS * shares.size()];
    for (int i = 0; i < shares.size(); i++) {
      Take one = shares.get(i);
      keys[2 * i] = one.keys().lock();
      keys[2 * i + 1] = one.keys().counter().key();
      args[ARGUMENTS * i] = one.owner();
      args[ARGUMENTS * i + 1] = String.valueOf(one.ttl().toMillis());
      args[ARGUMENTS * i + 2] = String.valueOf(one.share().permits());
      args[ARGUMENTS * i + 3] = String.valueOf(one.share().capacity());
      args[ARGUMENTS * i + 4] = String.valueOf(one.placeKept().toMillis());
    }
    Object request = new Object();
    unanswered.put(request, shares);
    return LockCalls.send(line, Script.SHARE_ACQUIRE, keys, args)
        .whenComplete(
            (answers, failure) -> {
              if (failure == null || RedisFailures.isAnswer(failure)) {
                unanswered.remove(request);
              }
            })
        .thenApply(answers -> LockCalls.each(answers, ShareCalls::taken))
        .exceptionallyCompose(failure -> LockCalls.oneByOne(shares, this::take, failure));
  }

  private static ClaimAnswer taken(Object answer) {
    if (!(answer instanceof List<?> refusal)) {
      return new ClaimAnswer.Taken((Long) answer);
    }
    return refusal.size() == 2
        ? new ClaimAnswer.Refused("", Optional.of(Duration.ofMillis((Long) refusal.get(1))))
        : new ClaimAnswer.OtherCapacity(Math.toIntExact((Long) refusal.get(2)));
  }

  private CompletableFuture<List<CompletableFuture<LockCalls.Freed>>> free(
      List<LockCalls.Free> shares) {
    return LockCalls.send(
            line, Script.SHARE_RELEASE, LockCalls.keys(shares), LockCalls.args(shares))
        .thenApply(LockCalls::freed)
        .exceptionallyCompose(failure -> LockCalls.oneByOne(shares, this::free, failure));
  }

  /** See {@link CommandConnection#undoUnanswered}. */
  void undoUnanswered() {
    for (List<Take> shares : unanswered.values()) {
      List<LockCalls.Free> undone =
          shares.stream()
              .map(one -> new LockCalls.Free(one.keys(), one.owner(), LockCalls.Free.TELL))
              .toList();
      Script.SHARE_RELEASE.sendWhole(line.commands, LockCalls.keys(undone), LockCalls.args(undone));
    }
  }
}
