/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.ServerReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the versions that servers tell, and the findings about those that say nothing. */
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

  /** One that is told to answer no such words says so, and nothing is wrong with it. */
  @Test
  void theNumberIsToldOfEachServerThatTellsIt() throws Exception {
    try (Answering one = new Answering("Zookeeper version: 3.9.3-c26634f34490, built on 2024\n");
        Answering other =
            new Answering("srvr is not executed because it is not in the whitelist.");
        Answering third = new Answering("Zookeeper version: 3.6.4\nMode: leader\n")) {
      List<ServerReport> reports = reports(one.address(), other.address(), third.address());
      assertEquals(
          List.of("3.9.3", "", "3.6.4"), reports.stream().map(ServerReport::version).toList());
      assertTrue(
          reports.stream().allMatch(report -> report.findings().isEmpty()), reports::toString);
      assertTrue(
          reports.get(0).server().endsWith(":" + one.address().getPort()), reports::toString);
    }
  }

  /** Whatever listens there, an answer that never ends is not waited for, nor kept. */
  @Test
  void noMoreIsReadThanAnAnswerCanHave() throws Exception {
    String endless = "Zookeeper version: 3.9.3\n" + "x".repeat(10_000);
    try (Answering server = Answering.withoutEnd(endless)) {
      assertEquals("3.9.3", reports(server.address()).get(0).version());
    }
  }

  private static List<ServerReport> reports(InetSocketAddress... servers) throws Exception {
    return ServerVersions.of(List.of(servers), Duration.ofSeconds(10)).get(20, TimeUnit.SECONDS);
  }

  /** Answers one connection, after the question. */
  private static final class Answering implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final CountDownLatch ends;

    Answering(String answer) throws IOException {
      this(answer, new CountDownLatch(0));
    }

    private Answering(String answer, CountDownLatch ends) throws IOException {
      this.ends = ends;
      new Thread(() -> answer(answer)).start();
    }

    static Answering withoutEnd(String answer) throws IOException {
      return new Answering(answer, new CountDownLatch(1));
    }

    InetSocketAddress address() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    private void answer(String answer) {
      try (Socket connection = socket.accept()) {
        assertEquals("srvr", new String(connection.getInputStream().readNBytes(4), US_ASCII));
        connection.getOutputStream().write(answer.getBytes(US_ASCII));
        ends.await();
      } catch (IOException | InterruptedException e) {
        // The test has ended.
      }
    }

    @Override
    public void close() throws IOException {
      ends.countDown();
      socket.close();
    }
  }
}
