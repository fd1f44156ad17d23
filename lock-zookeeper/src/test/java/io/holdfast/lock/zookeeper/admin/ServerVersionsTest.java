/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.ServerReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is told of servers that say nothing. */
class ServerVersionsTest {

  /** As by one that stands still: the kernel of its host accepts connections all the same. */
  @Test
  void aServerThatSaysNothingIsToldAndHoldsNothingUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort());
      List<ServerReport> reports =
          ServerVersions.of(List.of(address), Duration.ofMillis(200)).get(20, TimeUnit.SECONDS);
      assertEquals(
          List.of(Finding.Severity.WARNING),
          reports.stream()
              .flatMap(report -> report.findings().stream())
              .map(Finding::severity)
              .toList());
    }
  }
}
