/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.OptionalLong;

/** One connection for commands, by the number that the server knows it by. */
final class Line {

  final StatefulRedisConnection<String, String> connection;
  final RedisAsyncCommands<String, String> commands;

  /** Empty if the server does not tell. */
  final OptionalLong id;

  /** Whether nothing that was sent on this line can be carried out any more. */
  volatile boolean dead;

  Line(StatefulRedisConnection<String, String> connection, OptionalLong id) {
    this.connection = connection;
    this.commands = connection.async();
    this.id = id;
  }
}
