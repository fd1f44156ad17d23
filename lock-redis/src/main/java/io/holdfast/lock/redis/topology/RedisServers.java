/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.NodeInspection;
import io.holdfast.lock.redis.node.Prolongation;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.redis.node.ReleaseNotifications;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Finds the server of each lock of a namespace: at one server, or all over a cluster. */
public interface RedisServers {

  /**
   * Connects, and checks what kind of servers these are.
   *
   * @param operation the beginning of the message if it fails
   * @param limit for each step
   * @throws io.holdfast.lock.LockException if nothing can be kept here
   */
  void open(String operation, Duration limit);

  /**
   * Tries what locks need, with a key that no lock has.
   *
   * @return fails with a {@link io.holdfast.lock.LockException} if locks cannot be kept here
   */
  CompletableFuture<Void> tryLocks();

  /**
   * Calls a script with one key, and has the replicas confirm what it has written, if so many are
   * configured.
   *
   * @param operation the beginning of the message if it fails
   * @param script which
   * @param key of the script
   * @param args of the script
   * @param <T> of its answer
   * @return the answer; fails with a {@link io.holdfast.lock.LockException}
   */
  <T> CompletableFuture<T> call(String operation, Script script, String key, String... args);

  /**
   * Makes a contender. Sends nothing.
   *
   * @param request who wants which lock, and on which terms
   * @return a claim that was never asked
   */
  NodeClaim claim(ClaimRequest request);

  /**
   * Prolongs what is still its owner's, and never shortens. As few requests as the servers like.
   *
   * @param claims one or more
   * @return for each claim a stage with whether it still owned its lock, which fails with a {@link
   *     io.holdfast.lock.LockException} if that is not known
   */
  List<CompletableFuture<Boolean>> prolong(List<Prolongation> claims);

  /**
   * Which server has a claim's lock, as far as is known.
   *
   * @param claim of these servers
   * @return equal for the same server
   */
  Object placeOf(NodeClaim claim);

  /**
   * Whether one script takes locks of any names, and is all that it takes.
   *
   * @return false if they may be at different servers, or if replicas confirm each of them
   */
  boolean decidesTogether();

  /**
   * Where the release of a claim's lock is told.
   *
   * @param claim of these servers
   * @return by its key
   */
  ReleaseNotifications wakeups(NodeClaim claim);

  /**
   * Where a lock is, and the channel on which its release is told.
   *
   * @param lockName its name
   * @return the key
   */
  String key(String lockName);

  /**
   * The servers that keep locks, as far as is known.
   *
   * @return each once
   */
  Set<RedisNode> nodes();

  /**
   * Asks the server that has a lock about it.
   *
   * @param lockName its name
   * @param question to that server; fails with a {@link io.holdfast.lock.LockException}
   * @param <T> of the answer
   * @return the answer
   */
  <T> CompletableFuture<T> ask(
      String lockName, Function<NodeInspection, CompletableFuture<T>> question);

  /**
   * The names of all locks of the namespace.
   *
   * @return each that is there throughout; fails with a {@link io.holdfast.lock.LockException}
   */
  CompletableFuture<Set<String>> names();

  /** Makes no further connections. The client is to be closed next. */
  void close();
}
