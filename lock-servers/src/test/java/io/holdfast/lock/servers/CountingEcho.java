/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends back what it gets; and for a question mark, how often it was started with its data. */
final class CountingEcho {

  private CountingEcho() {}

  public static void main(String[] args) throws IOException {
    Path counted = Path.of(args[1]);
    String starts = (Files.exists(counted) ? Files.readString(counted) : "") + "x";
    Files.writeString(counted, starts);
    try (ServerSocket listener =
        new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getLoopbackAddress())) {
      while (true) {
        try (Socket socket = listener.accept()) {
          int asked = socket.getInputStream().read();
          socket.getOutputStream().write(asked == '?' ? '0' + starts.length() : asked);
        }
      }
    }
  }
}
