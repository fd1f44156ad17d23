/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One connection through a proxy. Each direction has a thread that reads, at once and always, and
 * one that writes, when the faults let it. The end of a stream travels behind its bytes, so that
 * what a client sent before it went away still arrives.
 */
final class ProxyLink {

  private static final int BUFFER_BYTES = 16 * 1024;

  /** Connections are numbered as they are made. */
  final long number;

  private final Socket client;
  private final Socket server;
  private final ProxyFaults faults;
  private final Runnable onEnd;
  private final AtomicInteger openDirections = new AtomicInteger(2);
  private boolean reset;
  private boolean requestInFlight;

  ProxyLink(long number, Socket client, Socket server, ProxyFaults faults, Runnable onEnd) {
    this.number = number;
    this.client = client;
    this.server = server;
    this.faults = faults;
    this.onEnd = onEnd;
  }

  void start() {
    new Pump(Direction.TO_SERVER, client, server).start();
    new Pump(Direction.TO_CLIENT, server, client).start();
  }

  /** Breaks both sides with a TCP reset; what was held back is gone. */
  void reset() {
    faults.lock.lock();
    try {
      reset = true;
      faults.changed.signalAll();
    } finally {
      faults.lock.unlock();
    }
    abort(client);
    abort(server);
  }

  /** After a reset, nobody may close in good order: the other side would see an end. */
  private void end() {
    boolean aborted = isReset();
    for (Socket socket : List.of(client, server)) {
      if (aborted) {
        abort(socket);
      } else {
        close(socket);
      }
    }
  }

  private boolean isReset() {
    faults.lock.lock();
    try {
      return reset;
    } finally {
      faults.lock.unlock();
    }
  }

  static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException alreadyClosed) {
      return;
    }
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Closing is all that was left to do with it.
    }
  }

  /** Bytes on their way; none mean the end of the stream. */
  private static final class Chunk {
    private final byte[] bytes;
    private final long readAt = System.nanoTime();

    Chunk(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean isEnd() {
      return bytes.length == 0;
    }
  }

  private final class Pump {
    private final Direction direction;
    private final Socket from;
    private final Socket to;
    private final Deque<Chunk> queue = new ArrayDeque<>();
    private long lastTakenAt = System.nanoTime();
    private int lastLength;

    Pump(Direction direction, Socket from, Socket to) {
      this.direction = direction;
      this.from = from;
      this.to = to;
    }

    void start() {
      daemon("read", this::read).start();
      daemon("write", this::write).start();
    }

    private Thread daemon(String what, Runnable task) {
      Thread thread = new Thread(task, TcpProxy.THREADS + what + "-" + direction);
      thread.setDaemon(true);
      return thread;
    }

    private void read() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        InputStream in = from.getInputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          enqueue(Arrays.copyOf(buffer, count));
        }
      } catch (IOException broken) {
        // For the other side it is an end like any other.
      }
      enqueue(new byte[0]);
    }

    private void enqueue(byte[] bytes) {
      faults.lock.lock();
      try {
        queue.add(new Chunk(bytes));
        faults.changed.signalAll();
      } finally {
        faults.lock.unlock();
      }
    }

    private void write() {
      try {
        OutputStream out = to.getOutputStream();
        for (Chunk chunk = take(); !chunk.isEnd(); chunk = take()) {
          if (isReplyToLose()) {
            ProxyLink.this.reset();
          } else {
            out.write(chunk.bytes);
          }
        }
        to.shutdownOutput();
      } catch (IOException broken) {
        // Nobody is there to write to; the other direction finds its own end.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        if (openDirections.decrementAndGet() == 0) {
          end();
          onEnd.run();
        }
      }
    }

    private Chunk take() throws InterruptedException, IOException {
      faults.lock.lock();
      try {
        while (true) {
          if (reset) {
            throw new IOException("reset");
          }
          Chunk head = queue.peek();
          if (head == null
              || faults.isStalled(direction, number)
              || (head.isEnd() && faults.holdsEnd(direction, number))) {
            faults.changed.await();
            continue;
          }
          long now = System.nanoTime();
          long wait =
              Math.max(
                  head.readAt + faults.delayNanos(direction, number) - now,
                  lastTakenAt + lastLength * faults.nanosPerByte(direction) - now);
          if (wait > 0) {
            faults.changed.awaitNanos(wait);
            continue;
          }
          lastTakenAt = now;
          lastLength = head.bytes.length;
          if (direction == Direction.TO_SERVER && faults.losesNextReply() && !head.isEnd()) {
            requestInFlight = true;
          }
          return queue.remove();
        }
      } finally {
        faults.lock.unlock();
      }
    }

    private boolean isReplyToLose() {
      if (direction == Direction.TO_SERVER) {
        return false;
      }
      faults.lock.lock();
      try {
        return requestInFlight && faults.takeLoss();
      } finally {
        faults.lock.unlock();
      }
    }
  }
}
