/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.mutants.MutantsTest;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Faulty variants of what a queue at the server and a session bring with them. */
@Tag("long")
class ZooKeeperMutantsTest extends MutantsTest {

  @Override
  protected Optional<Server> startServer() {
    return Optional.of(ZooKeeperServer.launch(ZooKeeperFixture.TICK));
  }
}
