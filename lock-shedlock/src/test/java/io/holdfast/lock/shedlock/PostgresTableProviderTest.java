/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresTableProviderTest extends ProviderContract {

  private static PostgresServer server;

  @BeforeAll
  static void launch() {
    server = PostgresServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  LockClient open() {
    return Locks.open(
        "postgres-table",
        Map.of(
            "url",
            server.url(),
            "username",
            PostgresServer.USER,
            "create-schema",
            "true",
            "command-timeout",
            "5s"));
  }
}
