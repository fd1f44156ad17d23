/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Of a server that is suspended: its kernel still accepts connections, and nobody answers. */
final class Silence {

  private static final int QUIET_MILLIS = 200;

  private Silence() {}

  /** Whether there is no answer to a request for a moment. */
  static boolean of(Server server, String request) throws IOException {
    try (Socket socket = new Socket(server.host(), server.port())) {
      socket.setSoTimeout(QUIET_MILLIS);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      socket.getInputStream().read();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
