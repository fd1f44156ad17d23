/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * The address of a server that is not there: a port of the loopback interface that refuses
 * connections. Nobody else gets the port before this is closed, as somebody would get that of a
 * server which was stopped.
 */
public final class DeadAddress implements AutoCloseable {

  private static final int PORTS_TO_TRY = 5;

  private final Socket bound;

  private DeadAddress(Socket bound) {
    this.bound = bound;
  }

  /**
   * Takes a free port.
   *
   * @return an address
   */
  public static DeadAddress take() {
    for (int tries = 1; ; tries++) {
      try {
        return at(Ports.free());
      } catch (IOException e) {
        if (tries == PORTS_TO_TRY) {
          throw new UncheckedIOException("Cannot take a port", e);
        }
      }
    }
  }

  /** Takes a port that nobody uses any more. */
  static DeadAddress at(int port) throws IOException {
    Socket bound = new Socket();
    try {
      // Bound, not listening; and without SO_REUSEADDR, which would let others bind it, too.
      bound.setReuseAddress(false);
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new DeadAddress(bound);
    } catch (IOException e) {
      close(bound);
      throw e;
    }
  }

  /**
   * Where nobody answers.
   *
   * @return the port
   */
  public int port() {
    return bound.getLocalPort();
  }

  @Override
  public void close() {
    close(bound);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
