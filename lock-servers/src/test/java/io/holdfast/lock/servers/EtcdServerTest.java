/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class EtcdServerTest {

  @Test
  void answersAndKeepsItsPortAndItsDataThroughAKill() {
    try (EtcdServer etcd = EtcdServer.launch()) {
      assertTrue(etcd.describe().contains("etcd"), etcd.describe());
      assertEquals(1, etcd.metric("etcd_server_is_leader"));
      int port = etcd.port();
      double written = etcd.metric("etcd_debugging_mvcc_current_revision");
      etcd.kill();
      assertThrows(UncheckedIOException.class, () -> etcd.metric("etcd_server_is_leader"));
      etcd.start();
      assertEquals(port, etcd.port());
      assertEquals(written, etcd.metric("etcd_debugging_mvcc_current_revision"));
      assertThrows(IllegalStateException.class, etcd::wipe);
      etcd.stop();
      etcd.wipe();
      etcd.start();
      assertEquals(1, etcd.metric("etcd_server_has_leader"));
    }
  }

  @Test
  void canBeSuspendedAndClosedWhileItIs() throws IOException {
    EtcdServer etcd = EtcdServer.launch();
    etcd.suspend();
    assertTrue(Silence.of(etcd, "GET /version HTTP/1.0\r\n\r\n"));
    etcd.resume();
    assertEquals(1, etcd.metric("etcd_server_is_leader"));
    etcd.suspend();
    etcd.close();
    etcd.close();
    assertThrows(IllegalStateException.class, etcd::start);
  }

  @Test
  void aClusterElectsAnotherLeader() {
    try (EtcdCluster cluster = EtcdCluster.launch(3)) {
      assertEquals(3, cluster.members().size());
      Until.holds("a leader", () -> cluster.leader().isPresent());
      EtcdServer first = cluster.leader().orElseThrow();
      first.kill();
      Until.holds(
          "another leader",
          () -> cluster.leader().filter(next -> next.port() != first.port()).isPresent());
      first.start();
      Until.holds("it follows", () -> first.metric("etcd_server_has_leader") == 1);
    }
  }
}
