/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.redis.client.RedisFailures;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Asks one server about locks, held by any client. For any number of threads. */
public final class NodeInspection {

  private static final int KEYS_IN_ONE_STEP = 1000;

  private final RedisNode node;

  /**
   * Sends nothing yet.
   *
   * @param node the server
   */
  public NodeInspection(RedisNode node) {
    this.node = node;
  }

  /**
   * Looks up the owner of a lock's key here.
   *
   * @param lockName its name
   * @return empty if nobody has, or it is no lock; fails with a {@link
   *     io.holdfast.lock.LockException}
   */
  public CompletableFuture<Optional<KeyHolder>> holder(String lockName) {
    return inspect(lockName).thenApply(NodeInspection::toHolder);
  }

  private CompletableFuture<List<Object>> inspect(String lockName) {
    return node.call(
        "Asking who holds lock '" + lockName + "'",
        Script.INSPECT,
        new String[] {node.key(lockName)});
  }

  private static Optional<KeyHolder> toHolder(List<Object> answer) {
    if (answer.size() < 2) {
      return Optional.empty();
    }
    long left = (Long) answer.get(1);
    return Optional.of(
        new KeyHolder(
            (String) answer.get(0),
            left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left))));
  }

  /**
   * Frees a lock if it is that owner's, and tells those who wait.
   *
   * @param lockName its name
   * @param owner the owner id
   * @return whether it was; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Boolean> evict(String lockName, String owner) {
    return evict(Script.RELEASE, lockName, owner);
  }

  private CompletableFuture<Boolean> evict(Script release, String lockName, String owner) {
    String operation = "Taking lock '" + lockName + "' from its holder";
    return node.<List<Object>>write(
            operation, release, new String[] {node.key(lockName)}, owner, LockCalls.Free.TELL)
        .thenCompose(answers -> LockCalls.freed(answers).get(0))
        .thenApply(LockCalls.Freed::wasOurs)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(RedisFailures.typed(operation, failure)));
  }

  /**
   * Looks up the holders of a lock, or of shares of a name, here.
   *
   * @param lockName its name
   * @return in the order of their grants; none if nobody does; fails with a {@link
   *     io.holdfast.lock.LockException}
   */
  public CompletableFuture<List<KeyHolder>> holders(String lockName) {
    return inspect(lockName)
        .thenCompose(
            answer ->
                answer.size() == 1
                    ? shares(lockName).thenApply(NodeInspection::toHolders)
                    : CompletableFuture.completedFuture(toHolder(answer).stream().toList()));
  }

  private CompletableFuture<List<Object>> shares(String lockName) {
    return node.call(
        "Asking who shares '" + lockName + "'",
        Script.SHARE_INSPECT,
        new String[] {node.key(lockName)});
  }

  /** A holder of more than a capacity that was changed has all of it. */
  private static List<KeyHolder> toHolders(List<Object> answer) {
    int capacity = answer.isEmpty() ? 0 : Math.toIntExact((Long) answer.get(0));
    return answer.stream()
        .skip(1)
        .map(one -> (List<?>) one)
        .sorted(Comparator.comparing(one -> (Long) one.get(3)))
        .map(
            one ->
                new KeyHolder(
                    (String) one.get(0),
                    Optional.of(Duration.ofMillis((Long) one.get(2))),
                    new Share(Math.min(Math.toIntExact((Long) one.get(1)), capacity), capacity)))
        .toList();
  }

  /**
   * With which capacity a name is shared, here.
   *
   * @param lockName its name
   * @return empty if nobody shares it; 0 if something else than a share or a lock is at its place;
   *     fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<OptionalInt> capacity(String lockName) {
    return shares(lockName)
        .thenApply(
            answer ->
                answer.isEmpty()
                    ? OptionalInt.empty()
                    : OptionalInt.of(Math.toIntExact((Long) answer.get(0))));
  }

  /**
   * As {@link #evict}, of a name that several share.
   *
   * @param lockName its name
   * @param owner the owner id
   * @return whether it had a share; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Boolean> evictShare(String lockName, String owner) {
    return evict(Script.SHARE_RELEASE, lockName, owner);
  }

  /**
   * Gives a semaphore that is in use another capacity.
   *
   * @param lockName its name
   * @param from the capacity that it has
   * @param to the capacity that it is to have
   * @return whether it had the first; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Boolean> changeCapacity(String lockName, int from, int to) {
    return node.<Long>write(
            "Changing the capacity of '" + lockName + "'",
            Script.SHARE_CAPACITY,
            new String[] {node.key(lockName)},
            String.valueOf(from),
            String.valueOf(to))
        .thenApply(changed -> changed == 1);
  }

  /**
   * The names of all locks here, by going through all keys of the database step by step.
   *
   * @return each key that is there throughout; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Set<String>> names() {
    String operation = "Listing the locks at " + node.where();
    CommandConnection line;
    try {
      line = node.line(operation);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    // No namespace has a character that means something in a pattern, and no lock an empty name.
    String prefix = node.key("");
    ScanArgs which = ScanArgs.Builder.matches(prefix + "?*").limit(KEYS_IN_ONE_STEP);
    Set<String> names = new HashSet<>();
    return scan(line, ScanCursor.INITIAL, which, prefix.length(), names)
        .exceptionallyCompose(failure -> node.failed(operation, line, failure));
  }

  private static CompletableFuture<Set<String>> scan(
      CommandConnection line, ScanCursor from, ScanArgs which, int prefix, Set<String> names) {
    CompletableFuture<KeyScanCursor<String>> step =
        line.commands.scan(from, which).toCompletableFuture();
    return step.thenCompose(
        found -> {
          found.getKeys().forEach(key -> names.add(key.substring(prefix)));
          return found.isFinished()
              ? CompletableFuture.completedFuture(names)
              : scan(line, found, which, prefix, names);
        });
  }
}
