/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.messages;
import static io.holdfast.lock.etcd.EtcdHarness.open;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Opening a client where members accept connections and never answer. */
class OpeningTest {

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  private String hung() {
    TcpProxy link = scene.link();
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    return "http://" + link.host() + ":" + link.port();
  }

  @Test
  void aMemberThatHangsLeavesTimeForTheNext() throws Exception {
    String well = "http://" + scene.server.host() + ":" + scene.server.port();
    try (LockClient client = open(hung() + "," + well, Map.of("connect-timeout", "6s"))) {
      client.lock("a", SHORT).acquire().release();
    }
  }

  @Test
  void membersThatHangHaveTheWholeTimeTogether() {
    LockUnavailableException refusal =
        assertThrows(
            LockUnavailableException.class,
            () -> open(hung() + "," + hung(), Map.of("connect-timeout", "1s")).close());
    assertTrue(messages(refusal).contains("not ready within 1 s"), messages(refusal));
  }
}
