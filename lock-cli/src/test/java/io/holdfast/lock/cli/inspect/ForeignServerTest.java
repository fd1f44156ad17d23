/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another server has the port: a web server, which answers everybody in its own language. */
class ForeignServerTest {

  private static final byte[] ANSWER =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(US_ASCII);

  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread answering = new Thread(this::answer, "foreign-server");
    answering.setDaemon(true);
    answering.start();
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Redis | provider=redis uri=redis://%s",
        "ZooKeeper | provider=zookeeper connect-timeout=1s connect=%s",
        "etcd | provider=etcd endpoints=http://%s",
        "PostgreSQL | provider=postgres-table username=x url=jdbc:postgresql://%s/x",
        "PostgreSQL | provider=postgres-table username=x url=jdbc:postgresql://%s/x?sslmode=disable"
      })
  void theErrorSaysThatItIsNotTheServer(String product, String settings) {
    String told = refusal(settings);
    assertTrue(told.contains("the server there is not " + product), told);
  }

  @ParameterizedTest
  @CsvSource({"provider=redis uri=rediss://%s", "provider=etcd endpoints=https://%s"})
  void theErrorSaysThatItDoesNotSpeakTls(String settings) {
    String told = refusal(settings);
    assertTrue(told.contains("the server there does not use TLS"), told);
  }

  private String refusal(String settings) {
    String address = "localhost:" + server.getLocalPort();
    Map<String, String> map =
        Arrays.stream(settings.formatted(address).split(" ", -1))
            .map(setting -> setting.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    String told =
        String.valueOf(
            assertThrows(LockUnavailableException.class, () -> Locks.open(map).close())
                .getMessage());
    assertTrue(told.contains(address), told);
    return told;
  }

  private void answer() {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        if (client.getInputStream().read(new byte[4096]) > 0) {
          client.getOutputStream().write(ANSWER);
        }
      } catch (IOException e) {
        // The client has gone, or the test is over.
      }
    }
  }
}
