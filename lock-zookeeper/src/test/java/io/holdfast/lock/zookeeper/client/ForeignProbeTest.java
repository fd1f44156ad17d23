/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.servers.Conditions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which server is found at a port where no session could be opened. */
class ForeignProbeTest {

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

  ForeignProbeTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  /** Answers each connection when it has read what ends like this. */
  private void answer(String end, String answer) {
    Thread answering = new Thread(() -> answerAll(end, answer), "foreign-server");
    answering.setDaemon(true);
    answering.start();
  }

  private void answerAll(String end, String answer) {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        StringBuilder said = new StringBuilder();
        int next = 0;
        while (next >= 0 && !said.toString().endsWith(end)) {
          next = client.getInputStream().read();
          said.append((char) next);
        }
        client.getOutputStream().write(answer.getBytes(ISO_8859_1));
      } catch (IOException e) {
        // The client has gone, or the test is over.
      }
    }
  }

  private Optional<String> found() {
    return ForeignProbe.failure(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
  }

  /** A machine that is busy may hold up an answer, so that none is found. */
  private void isFound(String what) {
    Conditions.until(what, Duration.ofSeconds(20), () -> found().filter(what::equals).isPresent());
  }

  /** As a web server does, which is silent until a request has come to its end. */
  @Test
  void aServerThatReadsLinesIsTold() {
    answer("\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n");
    isFound("the server there is not ZooKeeper");
  }

  /** Its answer to what is no TLS is an alert. */
  @Test
  void aServerThatUsesTlsIsTold() {
    answer("srvr", "\u0015\u0003\u0003\u0000\u0002\u0002F");
    isFound("the server there uses TLS; set 'tls' to true");
  }

  @Test
  void aZooKeeperThatAnswersNoSuchWordsIsNotForeign() {
    answer("srvr", "srvr is not executed because it is not in the whitelist.\n");
    assertEquals(Optional.empty(), found());
  }
}
