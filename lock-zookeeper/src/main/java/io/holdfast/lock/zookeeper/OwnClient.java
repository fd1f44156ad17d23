/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.text.TimeText;
import io.holdfast.lock.zookeeper.client.CertifiedHosts;
import io.holdfast.lock.zookeeper.client.ForeignProbe;
import io.holdfast.lock.zookeeper.client.TlsProbe;
import io.holdfast.lock.zookeeper.client.ZooKeeperFailures;
import io.holdfast.lock.zookeeper.session.CurrentSession;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;

/** A Curator client that belongs to one backend. */
final class OwnClient {

  private OwnClient() {}

  /** Connects and checks what can be checked; leaves nothing open if that fails. */
  static ZooKeeperBackend open(ZooKeeperConfig config) {
    Optional<TlsProbe> probe =
        config.tls().map(tls -> TlsProbe.of(tls, commandTimeout(config.sessionTimeout())));
    CuratorFramework client = build(config, probe);
    try {
      client.start();
      if (!client.blockUntilConnected(
          Math.toIntExact(config.connectTimeout().toMillis()), TimeUnit.MILLISECONDS)) {
        throw unreachable(config, probe);
      }
      CurrentSession sessions = new CurrentSession(client);
      ZooKeeperSession session = sessions.connected(() -> "Connecting to " + config.connect());
      ZooKeeperConfig.Locks locks = config.locks();
      Duration timeout = locks.commandTimeout().orElseGet(() -> commandTimeout(session.timeout()));
      check(config, session, config.connectTimeout());
      return new ZooKeeperBackend(
          new SessionRequests(sessions, locks.paths(), locks.acl(), timeout),
          () -> close(client, timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close(client, config.connectTimeout());
      throw new LockUnavailableException(
          "Interrupted while connecting to ZooKeeper at " + config.connect(), e);
    } catch (RuntimeException e) {
      close(client, config.connectTimeout());
      throw ZooKeeperFailures.typed("Connecting to ZooKeeper at " + config.connect(), e);
    }
  }

  /** With the first thing that is wrong at one of the servers, as far as a look at them tells. */
  private static LockException unreachable(ZooKeeperConfig config, Optional<TlsProbe> probe) {
    List<InetSocketAddress> servers =
        new ConnectStringParser(config.connect()).getServerAddresses();
    return probe
        .flatMap(
            tls ->
                servers.stream()
                    .flatMap(server -> tls.failure("Opening ZooKeeper", server).stream())
                    .min(Comparator.comparing(LockUnavailableException.class::isInstance)))
        .orElseGet(
            () ->
                new LockUnavailableException(
                    "No ZooKeeper server at %s has answered within %s%s"
                        .formatted(
                            config.connect(),
                            TimeText.of(config.connectTimeout()),
                            probe.isPresent() ? "" : look(servers))));
  }

  private static String look(List<InetSocketAddress> servers) {
    return servers.stream()
        .flatMap(
            server ->
                ForeignProbe.failure(server).stream()
                    .map(
                        what ->
                            "%s:%d: %s".formatted(server.getHostString(), server.getPort(), what)))
        .findFirst()
        .map(what -> "; at " + what)
        .orElse("");
  }

  /** Lets one lost answer be found out well before the session is in danger. */
  static Duration commandTimeout(Duration sessionTimeout) {
    Duration third = sessionTimeout.dividedBy(3);
    Duration most = Duration.ofSeconds(5);
    return third.compareTo(most) < 0 ? third : most;
  }

  private static CuratorFramework build(ZooKeeperConfig config, Optional<TlsProbe> probe) {
    ZKClientConfig client = new ZKClientConfig();
    // Bounds what ZooKeeper's own close() waits for: our requests are asynchronous.
    client.setProperty(
        ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT,
        Long.toString(Math.max(1, commandTimeout(config.sessionTimeout()).toMillis())));
    config.tls().ifPresent(tls -> tls.apply(client));
    int session = Math.toIntExact(config.sessionTimeout().toMillis());
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(config.connect())
            .sessionTimeoutMs(session)
            .connectionTimeoutMs(session)
            .retryPolicy(new RetryOneTime(100))
            // The configured addresses are used, also where servers announce others.
            .ensembleTracker(false)
            .zkClientConfig(client);
    config
        .auth()
        .ifPresent(
            secret -> builder.authorization("digest", secret.getBytes(StandardCharsets.UTF_8)));
    if (config.tls().filter(tls -> !tls.hostnameVerification()).isPresent()) {
      probe.map(tls -> CertifiedHosts.factory(tls, client)).ifPresent(builder::zookeeperFactory);
    }
    return builder.build();
  }

  /** A chroot is not made here: a misspelt one would be a world of its own. */
  private static void check(ZooKeeperConfig config, ZooKeeperSession session, Duration timeout) {
    boolean hasChroot =
        session
            .read("/", null)
            .exceptionallyCompose(
                failure ->
                    ZooKeeperFailures.isRefusal(failure)
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.failedFuture(failure))
            .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
            .join();
    if (!hasChroot) {
      throw new LockRejectedException(
          "The chroot in " + config.connect() + " does not exist; create it, or correct 'connect'");
    }
    session
        .read(config.locks().paths().base(), null)
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }

  /** Bounded: ending a session waits for a server's answer, and a server may have stopped. */
  private static void close(CuratorFramework client, Duration timeout) {
    Thread closer = new Thread(client::close, "holdfast-zookeeper-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(timeout.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
