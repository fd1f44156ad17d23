/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port to which clients of a {@link TcpProxy} connect: a port of the loopback interface that
 * accepts connections, or refuses them and is kept meanwhile. For any number of threads.
 */
final class ProxyPort {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyPort.class);
  private static final int STOP_TIMEOUT_MILLIS = 10_000;
  private static final Duration LISTEN_AGAIN_WITHIN = Duration.ofSeconds(10);
  private static final int BACKLOG = 128;
  private static final int PORTS_TO_TRY = 5;

  private final int number;
  private final BiConsumer<ServerSocket, Socket> accepted;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Acceptor acceptor;
  private @Nullable DeadAddress kept;
  private boolean closed;

  private ProxyPort(ServerSocket listener, BiConsumer<ServerSocket, Socket> accepted) {
    this.number = listener.getLocalPort();
    this.accepted = accepted;
    this.acceptor = accept(listener);
  }

  /**
   * Takes a free port and accepts connections.
   *
   * @param accepted gets each connection, with the socket that accepted it; on a thread that
   *     accepts nothing meanwhile
   */
  static ProxyPort open(BiConsumer<ServerSocket, Socket> accepted) {
    for (int tries = 1; ; tries++) {
      try {
        return new ProxyPort(listen(Ports.free()), accepted);
      } catch (IOException e) {
        if (tries == PORTS_TO_TRY) {
          throw new UncheckedIOException("Cannot listen", e);
        }
      }
    }
  }

  int number() {
    return number;
  }

  /** Accepts connections again. */
  void listenAgain() {
    lock.lock();
    try {
      if (acceptor == null && !closed) {
        release();
        acceptor = accept(retryToListen());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Refuses connections from now on. Those that live keep the port in use. */
  void stopListening() {
    lock.lock();
    try {
      if (acceptor != null) {
        acceptor.close();
        acceptor = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Or somebody who looks for a free port would find it. */
  void keep() {
    lock.lock();
    try {
      if (kept == null && !closed) {
        kept = DeadAddress.at(number);
      }
    } catch (IOException e) {
      LOG.debug("Proxy on port {}: its last connections have not ended yet", number, e);
    } finally {
      lock.unlock();
    }
  }

  /** Neither keeps the port nor listens again; {@link #stopListening} ends what is there. */
  void giveUp() {
    lock.lock();
    try {
      closed = true;
      release();
    } finally {
      lock.unlock();
    }
  }

  private void release() {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** A process that is just being started has the sockets of its parent, for a moment. */
  private ServerSocket retryToListen() {
    long end = System.nanoTime() + LISTEN_AGAIN_WITHIN.toNanos();
    while (true) {
      try {
        return listen(number);
      } catch (IOException e) {
        if (System.nanoTime() - end > 0) {
          throw new UncheckedIOException("Cannot listen again", e);
        }
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private Acceptor accept(ServerSocket socket) {
    Thread thread =
        new Thread(
            () -> {
              while (!socket.isClosed()) {
                try {
                  accepted.accept(socket, socket.accept());
                } catch (IOException e) {
                  LOG.debug("Proxy on port {}: {}", number, e.toString());
                }
              }
            },
            TcpProxy.THREADS + "accept-" + number);
    thread.setDaemon(true);
    thread.start();
    return new Acceptor(socket, thread);
  }

  /** Listens and hands over what connects. */
  private record Acceptor(ServerSocket socket, Thread thread) {

    /** The kernel goes on listening until the thread has left its call, so that is waited for. */
    void close() {
      try {
        socket.close();
        thread.join(STOP_TIMEOUT_MILLIS);
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot stop listening", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
