/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * Ends sessions at the server: whoever has the password of a session may close it, and a standalone
 * server makes that from the number of the session.
 */
final class SessionTerminator {

  /** The names of nodes, which have owner ids in them, may look like one as well. */
  private static final Pattern NUMBER = Pattern.compile("(?m)^\\s*0x([0-9a-f]+)");

  private static final long SECRET_OF_ALL_SERVERS = 0xB3415C00L;
  private static final int PASSWORD_BYTES = 16;
  private static final int TIMEOUT_MILLIS = 4_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private SessionTerminator() {}

  /**
   * All that there are. A session's own client connects again at once when we take its connection
   * over, and may do so before we have closed the session; so it may take some tries. A server may
   * list one for many seconds more that has expired.
   */
  static void end(ZooKeeperServer server) {
    Set<Long> left = at(server);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
      left.removeIf(one -> end(server.host() + ":" + server.port(), one));
      LockSupport.parkNanos(PAUSE_NANOS);
      left.retainAll(at(server));
    }
    if (!left.isEmpty()) {
      throw new IllegalStateException("these sessions did not end: " + left);
    }
  }

  private static Set<Long> at(ZooKeeperServer server) {
    return NUMBER
        .matcher(server.command("dump"))
        .results()
        .map((MatchResult found) -> Long.parseUnsignedLong(found.group(1), 16))
        .filter(session -> session != 0)
        .collect(Collectors.toSet());
  }

  /** Closes it; answers whether it had expired before. */
  private static boolean end(String address, long session) {
    byte[] password = new byte[PASSWORD_BYTES];
    new Random(session ^ SECRET_OF_ALL_SERVERS).nextBytes(password);
    CountDownLatch answered = new CountDownLatch(1);
    AtomicBoolean expired = new AtomicBoolean();
    try {
      ZooKeeper handle =
          new ZooKeeper(
              address,
              TIMEOUT_MILLIS,
              event -> {
                if (event.getState() == KeeperState.Expired) {
                  expired.set(true);
                }
                if (event.getState() == KeeperState.SyncConnected || expired.get()) {
                  answered.countDown();
                }
              },
              session,
              password);
      boolean inTime = answered.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      handle.close();
      if (!inTime) {
        throw new IllegalStateException("no answer for session " + Long.toHexString(session));
      }
      return expired.get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
