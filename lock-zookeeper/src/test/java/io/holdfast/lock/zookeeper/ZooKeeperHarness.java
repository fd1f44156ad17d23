/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.OpenResources;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.spi.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** A real server, clients on it, and an administrator who looks. */
final class ZooKeeperHarness extends OpenResources {

  static final Duration TICK = Duration.ofMillis(200);

  /** Where a session is to end soon. */
  static final Duration SESSION = Duration.ofSeconds(2);

  /** Where none may end by itself: a busy machine can take some seconds from anybody. */
  static final Duration LASTING = Duration.ofSeconds(20);

  /** For conditions. No longer, as a test that catches a variant by one takes that long. */
  static final Duration SOON = Duration.ofSeconds(10);

  private static final int RESULT_SECONDS = 20;

  final ZooKeeperServer server;

  ZooKeeperHarness() {
    this(Map.of());
  }

  ZooKeeperHarness(Map<String, String> serverConfig) {
    this(ZooKeeperServer.launch(TICK, serverConfig));
  }

  private ZooKeeperHarness(ZooKeeperServer server) {
    this.server = server;
  }

  /** One on whose server the nodes of locks stay for a while when they are empty. */
  static ZooKeeperHarness slowlyCleaned() {
    return new ZooKeeperHarness(ZooKeeperServer.launch(TICK, Map.of(), Duration.ofMinutes(1)));
  }

  String address() {
    return server.host() + ":" + server.port();
  }

  TcpProxy proxy() {
    return closing(TcpProxy.to(server.host(), server.port()));
  }

  LockClient client() {
    return client(Map.of());
  }

  /** One whose session ends soon when the link fails. */
  LockClient client(TcpProxy link) {
    return client(link, SESSION);
  }

  LockClient client(TcpProxy link, Duration session) {
    return client(Map.of("connect", addressOf(link), "session-timeout", session.toMillis() + "ms"));
  }

  static String addressOf(TcpProxy link) {
    return link.host() + ":" + link.port();
  }

  LockClient client(Map<String, String> settings) {
    return closing(Locks.open("zookeeper", settings(settings)));
  }

  /** The backend below a client; its session lasts. */
  ZooKeeperBackend backend() {
    return backend(Map.of());
  }

  ZooKeeperBackend backend(TcpProxy link) {
    return backend(Map.of("connect", addressOf(link)));
  }

  ZooKeeperBackend backend(Map<String, String> more) {
    return closing(
        (ZooKeeperBackend)
            new ZooKeeperLockProvider().open(new Settings("zookeeper", settings(more))));
  }

  Map<String, String> settings(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("connect", address());
    settings.put("session-timeout", LASTING.toMillis() + "ms");
    settings.putAll(more);
    return settings;
  }

  ZooKeeper administrator() {
    return closing(connect(address(), 0, new byte[0]));
  }

  static ZooKeeper connect(String address, long sessionId, byte[] password) {
    CountDownLatch connected = new CountDownLatch(1);
    Watcher watcher =
        event -> {
          if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.countDown();
          }
        };
    try {
      ZooKeeper handle =
          sessionId == 0
              ? new ZooKeeper(address, 20_000, watcher)
              : new ZooKeeper(address, 20_000, watcher, sessionId, password);
      if (!connected.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("No connection to " + address);
      }
      return handle;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static <T> T get(Future<T> result) throws Exception {
    return result.get(RESULT_SECONDS, TimeUnit.SECONDS);
  }

  /** Every node below a path that is not an empty container of ours. */
  static List<String> contenders(ZooKeeper administrator, String path) {
    return walk(administrator, path, name -> name.contains("~"));
  }

  static List<String> walk(ZooKeeper administrator, String path, Predicate<String> wanted) {
    List<String> found = new ArrayList<>();
    try {
      for (String name : administrator.getChildren(path, false)) {
        String child = path.equals("/") ? "/" + name : path + "/" + name;
        if (wanted.test(child)) {
          found.add(child);
        }
        found.addAll(walk(administrator, child, wanted));
      }
    } catch (KeeperException.NoNodeException e) {
      return found;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  /** Ends all but the server. */
  void closeOpened() {
    super.close();
  }

  @Override
  public void close() {
    closeOpened();
    server.close();
  }
}
