/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** An etcd member of its own. */
final class EtcdFixture implements Fixture {

  private static final Duration TTL = Duration.ofMillis(1_500);

  private final EtcdServer server = EtcdServer.launch();

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public Capabilities promises() {
    return new Capabilities(
        Capabilities.Fencing.WHILE_DATA_LASTS,
        Capabilities.Lifetime.TTL,
        Capabilities.Ordering.FIRST_COME_FIRST_SERVED,
        Capabilities.WakeUp.MESSAGE,
        Capabilities.ExpiryClock.SERVER_MONOTONIC,
        Capabilities.Scope.LEASE,
        Capabilities.Survival.MINORITY,
        Capabilities.Inspection.OWNER_AND_TOKEN);
  }

  /** Etcd counts in whole seconds, and looks every half second which leases are over. */
  @Override
  public Timing timing() {
    return new Timing(TTL, Duration.ofMillis(2_600));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(server.host(), server.port()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(link.host(), link.port()));
  }

  private static Map<String, String> settings(String host, int port) {
    return Map.of(
        "provider", "etcd", "endpoints", "http://" + host + ":" + port, "command-timeout", "1s");
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    Map<String, String> settings = new HashMap<>(settings("127.0.0.1", port));
    settings.put("username", "user");
    settings.put("password", secret);
    return Optional.of(settings);
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(server);
  }

  @Override
  public List<String> residue() {
    try (Administrator administrator = administrator()) {
      return administrator.keys("/holdfast/").stream()
          .map(key -> key.replace("%2F", "/").replace("%25", "%"))
          .toList();
    }
  }

  @Override
  public boolean revoke(String lockName) {
    try (Administrator administrator = administrator()) {
      List<KeyValue> queue = administrator.entries(queue(lockName));
      return !queue.isEmpty() && administrator.delete(queue.get(0).getKey());
    }
  }

  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    String key = queue(lockName) + "foreign";
    try (Administrator administrator = administrator()) {
      administrator.put(key, "a value");
    }
    return Optional.of(
        () -> {
          try (Administrator administrator = administrator()) {
            List<KeyValue> there = administrator.entries(queue(lockName));
            return there.size() == 1
                && there.get(0).getVersion() == 1
                && there.get(0).getValue().toStringUtf8().equals("a value");
          }
        });
  }

  private static String queue(String lockName) {
    return new LockKeys("/holdfast", "lock").queue(lockName).toStringUtf8();
  }

  private Administrator administrator() {
    return new Administrator(server.host(), server.port());
  }

  @Override
  public void close() {
    server.close();
  }
}
