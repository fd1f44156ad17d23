/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds free ports below the range from which the kernel serves outgoing connections. A port from
 * within that range could be taken by a client while its server is stopped, even by a connection to
 * itself. The ports 10,000 above are below it as well: there the servers of a Redis cluster talk to
 * one another.
 *
 * <p>The ports that were given last are not given again, neither by this process nor by another of
 * the same user that lives: their servers may be stopped just now, and what reached another in
 * their place would be taken for them. Processes agree by locks on a file, a byte for each port,
 * which end with the process.
 */
public final class Ports {

  static final String LOOPBACK = "127.0.0.1";

  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 22_000;
  private static final int REMEMBERED = 1_000;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<Integer, FileLock> GIVEN = new LinkedHashMap<>();
  private static final FileChannel SHARED = shared();

  private Ports() {}

  private static FileChannel shared() {
    Path file =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "holdfast-ports-" + System.getProperty("user.name"));
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot open " + file, e);
    }
  }

  /**
   * Finds one.
   *
   * @return a port of the loopback interface that nobody listens at now
   */
  public static int free() {
    LOCK.lock();
    try {
      for (int i = 0; i < 1_000; i++) {
        int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        if (!GIVEN.containsKey(port) && reserve(port)) {
          return port;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot reserve a port", e);
    } finally {
      LOCK.unlock();
    }
    throw new IllegalStateException("No free port from " + LOWEST + " to " + HIGHEST);
  }

  private static boolean reserve(int port) throws IOException {
    FileLock reserved = SHARED.tryLock(port, 1, false);
    if (reserved == null) {
      return false;
    }
    if (!isFree(port)) {
      reserved.release();
      return false;
    }
    GIVEN.put(port, reserved);
    if (GIVEN.size() > REMEMBERED) {
      Iterator<FileLock> oldest = GIVEN.values().iterator();
      oldest.next().release();
      oldest.remove();
    }
    return true;
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
