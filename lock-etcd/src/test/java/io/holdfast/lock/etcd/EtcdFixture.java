/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ServerGroup;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** An etcd member of its own. */
class EtcdFixture implements Fixture {

  private static final Duration TTL = Duration.ofMillis(1_500);

  private final String name;
  private final List<EtcdServer> members;
  private final Timing timing;
  private final Queue<EtcdServer> guarded = new ConcurrentLinkedQueue<>();

  EtcdFixture(String name, List<EtcdServer> members, Duration freeAfterDeath) {
    this.name = name;
    this.members = members;
    this.timing = new Timing(TTL, freeAfterDeath);
  }

  /**
   * One server. Etcd counts in whole seconds, and looks every half second which leases are over.
   */
  EtcdFixture() {
    this(EtcdServer.launch());
  }

  private EtcdFixture(EtcdServer server) {
    this("etcd", List.of(server), Duration.ofMillis(2_600));
  }

  @Override
  public String name() {
    return name;
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
        Capabilities.Inspection.OWNER_AND_TOKEN,
        Capabilities.Retention.SERVER,
        Capabilities.Sharing.PERMITS);
  }

  @Override
  public Timing timing() {
    return timing;
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(
        settings(members.stream().map(one -> one.host() + ":" + one.port()).toList()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(
        settings(link.ports().stream().map(port -> link.host() + ":" + port).toList()));
  }

  private static Map<String, String> settings(List<String> addresses) {
    String endpoints =
        addresses.stream().map(address -> "http://" + address).collect(Collectors.joining(","));
    return Map.of("provider", "etcd", "endpoints", endpoints, "command-timeout", "1s");
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    Map<String, String> settings = new HashMap<>(settings(List.of("127.0.0.1:" + port)));
    settings.put("username", "user");
    settings.put("password", secret);
    return Optional.of(settings);
  }

  /** With authentication all would need it, so the server is another one. */
  @Override
  public List<Map<String, String>> withPassword(String secret) {
    EtcdServer server = EtcdServer.launch();
    guarded.add(server);
    try (Administrator administrator = new Administrator(server.host(), server.port())) {
      administrator.addUser("root", secret, "/");
      administrator.addUser("kit", secret, "/holdfast/lock/");
      administrator.enableAuthentication();
    }
    Map<String, String> settings =
        new HashMap<>(settings(List.of(server.host() + ":" + server.port())));
    settings.putAll(Map.of("username", "kit", "password", secret));
    return List.of(settings);
  }

  @Override
  public Optional<Map<String, String>> withoutPassword(Map<String, String> settings) {
    Map<String, String> rest = new HashMap<>(settings);
    rest.keySet().removeAll(List.of("username", "password"));
    return Optional.of(rest);
  }

  @Override
  public List<Map<String, String>> malformed(String secret) {
    List<Map<String, String>> malformed = new ArrayList<>();
    for (String text :
        List.of("http://kit:%s@localhost:1", "ftp://kit:%s@localhost:1", "kit:%s@localhost:1")) {
      malformed.add(Map.of("provider", "etcd", "endpoints", text.formatted(secret)));
    }
    for (String store : List.of("tls-truststore", "tls-keystore")) {
      malformed.add(
          Map.of(
              "provider",
              "etcd",
              "endpoints",
              "https://localhost:1",
              store,
              "pom.xml",
              store + "-password",
              secret));
    }
    return malformed;
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(members.size() == 1 ? members.get(0) : ServerGroup.of(members));
  }

  @Override
  public Optional<TcpProxy> link() {
    return Optional.of(TcpProxy.to(members));
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
  public Revocation revoke(String lockName) {
    try (Administrator administrator = administrator()) {
      List<KeyValue> queue = administrator.entries(queue(lockName));
      return Revocation.of(!queue.isEmpty() && administrator.delete(queue.get(0).getKey()));
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
            // A client that was refused may still be on its way out of the queue.
            return administrator.entries(queue(lockName)).stream()
                .filter(there -> there.getKey().toStringUtf8().equals(key))
                .anyMatch(
                    there ->
                        there.getVersion() == 1
                            && there.getValue().toStringUtf8().equals("a value"));
          }
        });
  }

  /**
   * Each client's leases end, without which its locks are free; and nothing can be written. Members
   * of etcd 3.4 disagree after that and a kill ({@link DisagreementTest}): no lock can stand it.
   */
  @Override
  public List<NamedFault> faults() {
    NamedFault revoked =
        NamedFault.taking(
            "leases revoked", () -> administer(one -> one.revokeLeases("/holdfast/")));
    NamedFault noSpace =
        NamedFault.survived(
            "no space",
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            () -> administer(one -> one.alarmOfNoSpace(AlarmRequest.AlarmAction.ACTIVATE)),
            () -> administer(one -> one.alarmOfNoSpace(AlarmRequest.AlarmAction.DEACTIVATE)));
    return members.size() > 1 && isOld(members.get(0))
        ? List.of(revoked)
        : List.of(revoked, noSpace);
  }

  static boolean isOld(EtcdServer server) {
    return server.describe().contains("etcd 3.4.");
  }

  private void administer(Consumer<Administrator> deed) {
    try (Administrator administrator = administrator()) {
      deed.accept(administrator);
    }
  }

  private static String queue(String lockName) {
    return new LockKeys("/holdfast", "lock").queue(lockName).toStringUtf8();
  }

  private Administrator administrator() {
    return new Administrator(members.get(0).host(), members.get(0).port());
  }

  /** The end of a client cancels what it has sent, also what was to undo a put. */
  @Override
  public boolean undoesWhatArrivesAfterClose() {
    return false;
  }

  @Override
  public void close() {
    members.forEach(EtcdServer::close);
    guarded.forEach(EtcdServer::close);
  }
}
