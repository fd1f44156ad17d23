/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisRegistryTest extends RegistryContract {

  private static RedisServer server;

  @BeforeAll
  static void launch() {
    server = RedisServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  LockClient open() {
    return Locks.open(
        "redis",
        Map.of("uri", "redis://" + server.host() + ":" + server.port(), "command-timeout", "5s"));
  }
}
