/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One connection for commands, by the number that the server knows it by. */
final class CommandConnection {

  /**
   * How a server names a connection.
   *
   * @param serverRun which run of which server process; another one after each start
   * @param clientId counts from 1 in each run, so means nothing without it
   */
  record Identity(String serverRun, long clientId) {}

  final StatefulRedisConnection<String, String> connection;
  final RedisAsyncCommands<String, String> commands;

  /** Empty if the server does not tell. */
  final Optional<Identity> identity;

  /** By the clock of this process; empty if the server does not tell. */
  final Optional<Long> serverStartedAt;

  private final Map<Integer, LockCalls> calls = new ConcurrentHashMap<>();
  private final Map<Integer, ShareCalls> shareCalls = new ConcurrentHashMap<>();

  /** Whether nothing more is to be sent here. Requests that were sent may be carried out still. */
  volatile boolean givenUp;

  /** Whether nothing that was sent on this line can be carried out any more. */
  volatile boolean dead;

  CommandConnection(
      StatefulRedisConnection<String, String> connection,
      Optional<Identity> identity,
      Optional<Long> serverStartedAt) {
    this.connection = connection;
    this.commands = connection.async();
    this.identity = identity;
    this.serverStartedAt = serverStartedAt;
  }

  /**
   * The calls that take and free locks. The keys of a script have to be in one slot of a cluster.
   */
  LockCalls calls(int slot) {
    return calls.computeIfAbsent(slot, any -> new LockCalls(this));
  }

  /** As {@link #calls}, for names that are shared. */
  ShareCalls shareCalls(int slot) {
    return shareCalls.computeIfAbsent(slot, any -> new ShareCalls(this));
  }

  /**
   * Has what was asked for here, and was not answered, undone right behind it. A request that
   * arrives late then takes nothing, though nobody is there any more to give it back.
   */
  void undoUnanswered() {
    if (connection.isOpen()) {
      calls.values().forEach(LockCalls::undoUnanswered);
      shareCalls.values().forEach(ShareCalls::undoUnanswered);
    }
  }
}
