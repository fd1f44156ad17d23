/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends back what it gets, and counts it. */
final class EchoServer implements AutoCloseable {

  final AtomicInteger received = new AtomicInteger();
  final AtomicInteger ended = new AtomicInteger();

  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Thread acceptor = new Thread(this::accept);

  EchoServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    acceptor.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    try {
      acceptor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        threads.execute(() -> echo(socket));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void echo(Socket socket) {
    try (socket) {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        received.incrementAndGet();
        socket.getOutputStream().write(b);
      }
    } catch (IOException broken) {
      // As good as an end.
    } finally {
      ended.incrementAndGet();
    }
  }
}
