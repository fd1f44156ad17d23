/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * One etcd member, a cluster by itself unless {@link EtcdCluster} starts it. It is the {@code etcd}
 * of this machine or a container, as the setting {@code holdfast.servers} says. It writes its log
 * without fsync, so its data outlives a kill of the process, and no power failure.
 *
 * <p>Elections take half a second, so that the shortest TTL of a lease is one second.
 */
public final class EtcdServer extends HostedServer {

  private static final String PROGRAM = "etcd";
  private static final String IMAGE = "quay.io/coreos/etcd:v3.5.21";
  private static final int INNER_PORT = 2379;
  private static final int TIMEOUT_MILLIS = 10_000;
  private static final List<String> QUICK =
      List.of("--heartbeat-interval", "50", "--election-timeout", "500", "--unsafe-no-fsync");
  private static final Pattern VERSION = Pattern.compile("etcd Version: (\\S+)");

  private final AtomicInteger metricsPort;

  private EtcdServer(Server server, AtomicInteger metricsPort) {
    super(server);
    this.metricsPort = metricsPort;
  }

  /**
   * Starts a cluster of one member on free ports.
   *
   * @param extraArgs further arguments of {@code etcd}, such as {@code --cert-file server.pem
   *     --key-file server.key}, with which clients have to use TLS
   * @return a server that answers
   * @throws IllegalStateException if there is neither the program nor Docker (the message says what
   *     to install), or if it does not start
   */
  public static EtcdServer launch(String... extraArgs) {
    List<String> extra = List.of(extraArgs);
    return switch (choose()) {
      case LOCAL -> {
        String peer = peerUrl(Ports.free());
        yield startLocal("single", peer, "single=" + peer, extra);
      }
      case DOCKER -> startContainer(extra);
    };
  }

  /** Starts a member of a cluster, and returns when the cluster has a leader. */
  static EtcdServer startLocal(String member, String peerUrl, String cluster, List<String> extra) {
    WorkDirectory directory = WorkDirectory.create("etcd");
    String scheme = extra.contains("--cert-file") ? "https" : "http";
    AtomicInteger metricsPort = new AtomicInteger();
    Server server =
        LocalServer.start(
            PROGRAM + " " + Hosting.version(PROGRAM, VERSION),
            directory,
            port -> {
              metricsPort.set(Ports.free());
              String clientUrl = scheme + "://" + Ports.LOOPBACK + ":" + port;
              List<String> command = new ArrayList<>();
              command.add(PROGRAM);
              command.addAll(List.of("--name", member, "--data-dir", directory.data().toString()));
              command.addAll(List.of("--listen-client-urls", clientUrl));
              command.addAll(List.of("--advertise-client-urls", clientUrl));
              command.addAll(List.of("--listen-peer-urls", peerUrl));
              command.addAll(List.of("--initial-advertise-peer-urls", peerUrl));
              command.addAll(List.of("--initial-cluster", cluster));
              command.addAll(List.of("--listen-metrics-urls", peerUrl(metricsPort.get())));
              command.addAll(QUICK);
              command.addAll(extra);
              return command;
            },
            (host, port) -> isHealthy(host, metricsPort.get()));
    return new EtcdServer(server, metricsPort);
  }

  private static EtcdServer startContainer(List<String> extra) {
    List<String> command = new ArrayList<>();
    command.add(PROGRAM);
    command.addAll(List.of("--listen-client-urls", "http://0.0.0.0:" + INNER_PORT));
    command.addAll(List.of("--advertise-client-urls", "http://0.0.0.0:" + INNER_PORT));
    command.addAll(QUICK);
    command.addAll(extra);
    Server server =
        ContainerServer.start(
            new ContainerServer.Recipe(
                IMAGE, INNER_PORT, command, Map.of(), EtcdServer::isHealthy));
    return new EtcdServer(server, new AtomicInteger(server.port()));
  }

  /**
   * One of the numbers that etcd keeps of itself, such as {@code
   * etcd_debugging_lease_granted_total}.
   *
   * @param name of the metric
   * @return the sum over all its labels, 0 if there is no such metric yet
   * @throws UncheckedIOException if the server does not answer
   */
  public double metric(String name) {
    return metric(name, labels -> true);
  }

  /**
   * As {@link #metric(String)}, for some of its labels.
   *
   * @param name of the metric
   * @param chosen which, by its labels as they are written: {@code {a="b",c="d"}}
   * @return the sum
   * @throws UncheckedIOException if the server does not answer
   */
  public double metric(String name, Predicate<String> chosen) {
    try {
      return get(host(), metricsPort.get(), "/metrics")
          .lines()
          .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
          .filter(line -> chosen.test(line.substring(name.length())))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(name + ": no answer of " + describe(), e);
    }
  }

  /** It asks the kernel for the time, past all libraries. */
  @Override
  public boolean restartWith(FakeClock clock) {
    return false;
  }

  static Hosting choose() {
    return Hosting.choose(
        PROGRAM,
        () -> Hosting.findProgram(PROGRAM).isPresent(),
        "Install it with: apt-get install etcd-server");
  }

  static String peerUrl(int port) {
    return "http://" + Ports.LOOPBACK + ":" + port;
  }

  private static boolean isHealthy(String host, int port) throws IOException {
    return get(host, port, "/health").contains("true");
  }

  private static String get(String host, int port, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://" + host + ":" + port + path).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), UTF_8);
    } finally {
      connection.disconnect();
    }
  }
}
