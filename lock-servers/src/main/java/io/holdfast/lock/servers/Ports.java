/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports below the range from which the kernel serves outgoing connections. A port from
 * within that range could be taken by a client while its server is stopped, even by a connection to
 * itself. The ports 10,000 above are below it as well: there the servers of a Redis cluster talk to
 * one another.
 *
 * <p>The ports that were given last are not given again: their servers may be stopped just now, and
 * what reached another in their place would be taken for them.
 */
public final class Ports {

  static final String LOOPBACK = "127.0.0.1";

  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 22_000;
  private static final int REMEMBERED = 3_000;

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();
  private static final Queue<Integer> IN_ORDER = new ConcurrentLinkedQueue<>();

  private Ports() {}

  /**
   * Finds one.
   *
   * @return a port of the loopback interface that nobody listens at now
   */
  public static int free() {
    for (int i = 0; i < 1_000; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (!GIVEN.contains(port) && isFree(port) && GIVEN.add(port)) {
        remember(port);
        return port;
      }
    }
    throw new IllegalStateException("No free port from " + LOWEST + " to " + HIGHEST);
  }

  private static void remember(int port) {
    IN_ORDER.add(port);
    if (GIVEN.size() > REMEMBERED) {
      GIVEN.remove(IN_ORDER.remove());
    }
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
