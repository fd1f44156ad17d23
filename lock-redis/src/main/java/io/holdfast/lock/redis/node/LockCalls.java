/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.spi.support.Batcher;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Takes and frees locks on one connection, of one slot if it is a cluster's; those that are asked
 * for meanwhile with one script.
 *
 * <p>If a server refuses a script as a whole (it may not touch one of the keys, say), it is asked
 * again for each lock by itself, so that each gets the answer that is its own. Nothing of such a
 * script has been carried out.
 */
final class LockCalls {

  /**
   * A lock to be taken.
   *
   * @param waits whether its owner hears of releases, so that one may name it if it is refused now
   * @param atLeast the least number that will do
   */
  record Take(LockKeys keys, String owner, Duration ttl, boolean waits, long atLeast) {

    /** Frees what this may have taken. */
    Free undone() {
      return new Free(keys, owner, Free.TELL);
    }
  }

  /**
   * A lock to be freed.
   *
   * @param how whether those who wait are to be told, or when it is to be free
   */
  record Free(LockKeys keys, String owner, String how) {

    /** Now, and those who wait are told. */
    static final String TELL = "tell";

    /** Now, and nobody is told. */
    static final String QUIET = "quiet";

    /** By its TTL, which is set to this. */
    static String in(Duration left) {
      return String.valueOf(Math.max(1, left.plusNanos(999_999).toMillis()));
    }
  }

  /** The answer to the release of a lock. */
  enum Freed {
    NOT_OURS,
    OURS,
    /** It was this owner's, and one of those who wait was named. */
    OTHERS_FIRST;

    boolean wasOurs() {
      return this != NOT_OURS;
    }
  }

  static final int MOST_IN_ONE = 200;

  /** Two, so that of two callers none waits for the other. */
  static final int MOST_UNDER_WAY = 2;

  private final CommandConnection line;

  /** The requests that have no answer yet. */
  private final Map<Object, List<Take>> unanswered = new ConcurrentHashMap<>();

  private final Batcher<Take, ClaimAnswer> takes =
      new Batcher<>(MOST_IN_ONE, MOST_UNDER_WAY, this::take);
  private final Batcher<Free, Freed> frees = new Batcher<>(MOST_IN_ONE, MOST_UNDER_WAY, this::free);

  LockCalls(CommandConnection line) {
    this.line = line;
  }

  /** The answer, or Lettuce's failure. */
  CompletableFuture<ClaimAnswer> ask(Take take) {
    return takes.ask(take);
  }

  /** The answer, or Lettuce's failure. */
  CompletableFuture<Freed> ask(Free free) {
    return frees.ask(free);
  }

  private CompletableFuture<List<CompletableFuture<ClaimAnswer>>> take(List<Take> locks) {
    String[] keys = new String[2 * locks.size()];
    String[] args = new String[5 * locks.size()];
    for (int i = 0; i < locks.size(); i++) {
      Take lock = locks.get(i);
      LockKeys at = lock.keys();
      keys[2 * i] = at.lock();
      keys[2 * i + 1] = at.counter().key();
      args[4 * i] = lock.owner();
      args[4 * i + 1] = String.valueOf(lock.ttl().toMillis());
      args[4 * i + 2] = String.valueOf(lock.atLeast());
      args[4 * i + 3] = String.valueOf(at.counter().grain());
      args[4 * locks.size() + i] = lock.waits() ? at.waiting() : "";
    }
    Object request = new Object();
    unanswered.put(request, locks);
    return send(line, Script.ACQUIRE, keys, args)
        .whenComplete(
            (answers, failure) -> {
              if (failure == null || RedisFailures.isAnswer(failure)) {
                unanswered.remove(request);
              }
            })
        .thenApply(answers -> each(answers, LockCalls::taken))
        .exceptionallyCompose(failure -> oneByOne(locks, this::take, failure));
  }

  private static ClaimAnswer taken(Object answer) {
    if (answer instanceof List<?> held) {
      long left = (Long) held.get(1);
      return new ClaimAnswer.Refused(
          (String) held.get(0), left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left)));
    }
    return new ClaimAnswer.Taken((Long) answer);
  }

  private CompletableFuture<List<CompletableFuture<Freed>>> free(List<Free> locks) {
    return send(line, Script.RELEASE, keys(locks), args(locks))
        .thenApply(LockCalls::freed)
        .exceptionallyCompose(failure -> oneByOne(locks, this::free, failure));
  }

  static String[] keys(List<Free> locks) {
    String[] keys = new String[locks.size()];
    Arrays.setAll(keys, i -> locks.get(i).keys().lock());
    return keys;
  }

  static String[] args(List<Free> locks) {
    String[] args = new String[3 * locks.size()];
    for (int i = 0; i < locks.size(); i++) {
      Free lock = locks.get(i);
      args[2 * i] = lock.owner();
      args[2 * i + 1] = lock.how();
      args[2 * locks.size() + i] = lock.keys().waiting();
    }
    return args;
  }

  /** Requests that have gathered here are not sent behind one that was not answered in time. */
  static CompletableFuture<List<Object>> send(
      CommandConnection line, Script script, String[] keys, String[] args) {
    return line.givenUp
        ? CompletableFuture.failedFuture(
            new LockUnavailableException("The connection to Redis was given up"))
        : script.call(line.commands, keys, args);
  }

  /** See {@link CommandConnection#undoUnanswered}. */
  void undoUnanswered() {
    for (List<Take> locks : unanswered.values()) {
      List<Free> undone = locks.stream().map(Take::undone).toList();
      Script.RELEASE.sendWhole(line.commands, keys(undone), args(undone));
    }
  }

  /** The answer of {@link Script#RELEASE}, for each lock. */
  static List<CompletableFuture<Freed>> freed(List<Object> answers) {
    return each(
        answers,
        answer -> {
          long said = (Long) answer;
          if (said == 0) {
            return Freed.NOT_OURS;
          }
          return said == 1 ? Freed.OURS : Freed.OTHERS_FIRST;
        });
  }

  static <A> List<CompletableFuture<A>> each(List<Object> answers, Function<Object, A> typed) {
    List<CompletableFuture<A>> all = new ArrayList<>(answers.size());
    for (Object answer : answers) {
      all.add(
          answer instanceof List<?> said && said.size() == 1
              ? CompletableFuture.failedFuture(
                  new RedisCommandExecutionException((String) said.get(0)))
              : CompletableFuture.completedFuture(typed.apply(answer)));
    }
    return all;
  }

  static <Q, A> CompletableFuture<List<CompletableFuture<A>>> oneByOne(
      List<Q> locks,
      Function<List<Q>, CompletableFuture<List<CompletableFuture<A>>>> send,
      Throwable failure) {
    if (locks.size() == 1 || !RedisFailures.isAnswer(failure)) {
      return CompletableFuture.failedFuture(failure);
    }
    return CompletableFuture.completedFuture(
        locks.stream()
            .map(lock -> send.apply(List.of(lock)).thenCompose(answer -> answer.get(0)))
            .toList());
  }
}
