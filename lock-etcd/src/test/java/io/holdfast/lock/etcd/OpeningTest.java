/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.messages;
import static io.holdfast.lock.etcd.EtcdHarness.open;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
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

  @Test
  void anInterruptEndsItAndStaysSet() {
    String hung = hung();
    Thread.currentThread().interrupt();
    LockUnavailableException refusal =
        assertThrows(
            LockUnavailableException.class,
            () -> open(hung, Map.of("connect-timeout", "60s")).close());
    assertTrue(Thread.interrupted());
    assertTrue(messages(refusal).contains("was interrupted"), messages(refusal));
  }

  @Test
  void aRefusedClientLeavesNoConnection() {
    TcpProxy link = scene.link();
    Map<String, String> nobody = Map.of("username", "nobody", "password", "a-secret");
    assertThrows(LockRejectedException.class, () -> scene.client(link, nobody));
    assertTrue(link.connectionsMade() > 0);
    until("no connection", () -> link.connections() == 0);
  }

  /** The others would say the same, of their own users. */
  @Test
  void aRefusalOfOneMemberIsFinal() {
    TcpProxy other = scene.link();
    String endpoints =
        "http://%s:%d,http://%s:%d"
            .formatted(scene.server.host(), scene.server.port(), other.host(), other.port());
    Map<String, String> nobody = Map.of("username", "nobody", "password", "a-secret");
    assertThrows(LockRejectedException.class, () -> scene.client(endpoints, nobody));
    assertEquals(0, other.connectionsMade());
  }

  /** An address of IPv6 that stands for 127.0.0.1, so the machine needs no IPv6. */
  @Test
  void anAddressOfIpv6IsWrittenInBrackets() throws Exception {
    String address = "http://[::ffff:127.0.0.1]:" + scene.server.port();
    try (LockClient client = open(address, Map.of())) {
      client.lock("a", SHORT).acquire().release();
    }
  }
}
