/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.mutants.MutantsTest;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.Server;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Faulty variants of the statements, and of what sessions and transactions bring with them. */
@Tag("long")
class PostgresMutantsTest extends MutantsTest {

  @Override
  protected Optional<Server> startServer() {
    return Optional.of(PostgresServer.launch());
  }
}
