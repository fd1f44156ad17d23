/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.queue.QueueListing;
import io.holdfast.lock.zookeeper.queue.QueueNode;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper for the conformance kit: one server with short ticks. */
class ZooKeeperFixture implements Fixture {

  private static final String ROOT = "/holdfast";
  private static final String LOCKS = ROOT + "/lock/";
  static final Duration TICK = Duration.ofMillis(200);
  private static final Duration SESSION = Duration.ofSeconds(4);

  private static final Duration PACE = Duration.ofMillis(1_200);

  private final ZooKeeperServer server;

  ZooKeeperFixture() {
    this(ZooKeeperServer.launch(TICK));
  }

  ZooKeeperFixture(ZooKeeperServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "zookeeper";
  }

  @Override
  public Capabilities promises() {
    return new Capabilities(
        Capabilities.Fencing.WHILE_DATA_LASTS,
        Capabilities.Lifetime.SESSION,
        Capabilities.Ordering.FIRST_COME_FIRST_SERVED,
        Capabilities.WakeUp.MESSAGE,
        Capabilities.ExpiryClock.SERVER_MONOTONIC,
        Capabilities.Scope.LEASE,
        Capabilities.Survival.MINORITY,
        Capabilities.Inspection.OWNER_AND_TOKEN,
        Capabilities.Retention.CLIENT,
        Capabilities.Sharing.FIXED_PERMITS);
  }

  /**
   * The server ends sessions at ticks. A session has to last through a reconnection, before which
   * the client waits for up to a second.
   */
  @Override
  public Timing timing() {
    return new Timing(PACE, SESSION.plus(TICK.multipliedBy(3)));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(server.host(), server.port()));
  }

  @Override
  public LockClient open(ClientOptions options) {
    Settings settings = new Settings("zookeeper", direct());
    return Locks.using(new ZooKeeperLockProvider().open(settings), options);
  }

  private Map<String, String> direct() {
    Map<String, String> settings = new HashMap<>(settings(server.host(), server.port()));
    settings.remove("provider");
    return settings;
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(link.host(), link.port()));
  }

  private static Map<String, String> settings(String host, int port) {
    return Map.of(
        "provider", "zookeeper",
        "connect", host + ":" + port,
        "session-timeout", SESSION.toMillis() + "ms");
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(server);
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    Map<String, String> settings = new HashMap<>(settings("127.0.0.1", port));
    settings.put("auth", "user:" + secret);
    settings.put("connect-timeout", "1s");
    return Optional.of(settings);
  }

  /** With nodes that only their creator may touch. */
  @Override
  public List<Map<String, String>> withPassword(String secret) {
    Map<String, String> settings = new HashMap<>(settings(server.host(), server.port()));
    settings.put("auth", "kit:" + secret);
    settings.put("acl", "creator");
    settings.put("root", "/private-" + secret.hashCode());
    return List.of(settings);
  }

  @Override
  public Optional<Map<String, String>> withoutPassword(Map<String, String> settings) {
    Map<String, String> rest = new HashMap<>(settings);
    rest.keySet().removeAll(List.of("auth", "acl"));
    return Optional.of(rest);
  }

  @Override
  public List<Map<String, String>> malformed(String secret) {
    return List.of(
        Map.of("provider", "zookeeper", "connect", "kit:" + secret + "@localhost:1"),
        Map.of("provider", "zookeeper", "connect", "zookeeper://kit:" + secret + "@localhost"),
        Map.of("provider", "zookeeper", "connect", "localhost:1", "auth", secret),
        withStore("tls-truststore", secret),
        withStore("tls-keystore", secret));
  }

  private static Map<String, String> withStore(String store, String secret) {
    Map<String, String> settings = new HashMap<>();
    settings.put("provider", "zookeeper");
    settings.put("connect", "localhost:1");
    settings.put("tls", "true");
    settings.put(store, "pom.xml");
    settings.put(store + "-password", secret);
    return settings;
  }

  /** Every node but containers, which the server removes when they have been empty for a while. */
  @Override
  public List<String> residue() {
    return administer(look -> ZooKeeperHarness.contenders(look, ROOT)).stream()
        .map(path -> URLDecoder.decode(path, UTF_8))
        .toList();
  }

  @Override
  public Revocation revoke(String lockName) {
    String lock = LOCKS + LockPaths.encode(lockName);
    return administer(
        look -> {
          try {
            Optional<QueueNode> first = new QueueListing(look.getChildren(lock, false)).first();
            if (first.isPresent()) {
              look.delete(lock + "/" + first.get().name(), -1);
              return Revocation.DONE;
            }
            return Revocation.NOTHING_THERE;
          } catch (KeeperException.NoNodeException e) {
            // Never asked for, or released in between.
            return Revocation.NOTHING_THERE;
          }
        });
  }

  @Override
  public List<NamedFault> faults() {
    return List.of(NamedFault.taking("session expiry", () -> SessionTerminator.end(server)));
  }

  /** A node that somebody else keeps for himself. */
  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    String lock = LOCKS + LockPaths.encode(lockName);
    byte[] data = "foreign".getBytes(UTF_8);
    administer(
        look -> {
          for (String parent : List.of(ROOT, ROOT + "/lock")) {
            if (look.exists(parent, false) == null) {
              look.create(parent, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
          }
          return look.create(lock, data, ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
        });
    return Optional.of(
        () ->
            administer(
                look ->
                    Arrays.equals(look.getData(lock, false, null), data)
                        && look.getChildren(lock, false).isEmpty()));
  }

  @Override
  public void close() {
    server.close();
  }

  private interface Look<T> {
    T by(ZooKeeper administrator) throws KeeperException, InterruptedException;
  }

  private <T> T administer(Look<T> look) {
    ZooKeeper administrator =
        ZooKeeperHarness.connect(server.host() + ":" + server.port(), 0, new byte[0]);
    try {
      administrator.addAuthInfo("digest", "somebody:else".getBytes(UTF_8));
      try {
        return look.by(administrator);
      } finally {
        administrator.close();
      }
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
