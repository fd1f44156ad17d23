/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any program can be a server: here one that is made of this test's own classes. */
class LocalServerTest {

  @Test
  void anyProgramIsAServer() throws IOException {
    try (LocalServer server = LocalServer.launch("echo", LocalServerTest::command, this::echoes)) {
      assertTrue(server.describe().contains("echo, local process "), server.describe());
      assertEquals("1", starts(server));
      int port = server.port();
      server.kill();
      assertThrows(IOException.class, () -> echoes(server.host(), port));
      server.start();
      assertEquals(port, server.port());
      assertTrue(echoes(server.host(), port));
      assertEquals("2", starts(server));
      server.stop();
      server.wipe();
      server.start();
      assertEquals("1", starts(server));
    }
  }

  @Test
  void aProgramThatEndsIsToldWithItsOutput() {
    IllegalStateException told =
        assertThrows(
            IllegalStateException.class,
            () ->
                LocalServer.launch(
                    "nothing", (port, data) -> List.of("sh", "-c", "echo no luck"), this::echoes));
    assertTrue(String.valueOf(told.getMessage()).contains("nothing ended before"), told.toString());
    assertTrue(String.valueOf(told.getMessage()).contains("no luck"), told.toString());
  }

  private boolean echoes(String host, int port) throws IOException {
    try (Socket socket = new Socket(host, port)) {
      socket.getOutputStream().write('a');
      return socket.getInputStream().read() == 'a';
    }
  }

  /** How often it was started with its present data, which it counts in a file. */
  private static String starts(LocalServer server) throws IOException {
    try (Socket socket = new Socket(server.host(), server.port())) {
      socket.getOutputStream().write('?');
      return String.valueOf((char) socket.getInputStream().read());
    }
  }

  private static List<String> command(int port, Path data) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        CountingEcho.class.getName(),
        String.valueOf(port),
        data.resolve("starts").toString());
  }

  /** The data directory is the working directory. */
  @Test
  void itRunsInItsDataDirectory() throws IOException {
    try (LocalServer server =
        LocalServer.launch("echo", (port, data) -> command(port, Path.of("")), this::echoes)) {
      assertEquals("1", starts(server));
      assertFalse(Files.exists(Path.of("starts")));
    }
  }
}
