/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The load on the servers of a backend: as they say themselves where they do, and as Linux says
 * otherwise. A figure that nobody reports is NaN.
 *
 * @param benchServers which are asked
 */
record ServerCost(BenchServers benchServers) {

  private static final Pattern PID = Pattern.compile("local process (\\d+)");
  private static final Pattern PING = Pattern.compile("(?m)^cmdstat_ping:calls=(\\d+)");
  private static final Pattern USED_MEMORY = Pattern.compile("(?m)^used_memory:(\\d+)");
  private static final Pattern WATCHES = Pattern.compile("(?m)^zk_watch_count\\t(\\d+)");
  private static final Pattern LIVE_OBJECTS = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

  /**
   * A process's part of the memory that it shares with others: the size divided by their number.
   */
  private static final Pattern PROPORTIONAL = Pattern.compile("(?m)^Pss:\\s+(\\d+) kB");

  private static final int KILOBYTE = 1024;
  private static final String ESTABLISHED = "01";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int HEXADECIMAL = 16;

  /** So far. Asking may be one more. */
  double commands() {
    return benchServers.commands().get() + pings();
  }

  /** Connections of clients, as Linux shows them. */
  double connections() throws IOException {
    long count = 0;
    for (String table : List.of("tcp", "tcp6")) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/net", table))) {
        count +=
            lines
                .skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(cells -> cells[STATE].equals(ESTABLISHED))
                .filter(cells -> isOfServer(cells[LOCAL_ADDRESS]))
                .count();
      }
    }
    return (double) count;
  }

  /**
   * Bytes: what Redis has allocated, what lives on ZooKeeper's heap, what etcd and all processes of
   * PostgreSQL have resident.
   */
  double memory() {
    return sum(ServerCost::memoryOf);
  }

  /** Watches, and the subscriptions of Redis. */
  double watches() {
    return sum(ServerCost::watchesOf);
  }

  private double sum(ToDoubleFunction<Server> figure) {
    return benchServers.servers().stream().mapToDouble(figure).sum();
  }

  private double pings() {
    return sum(
        server ->
            server instanceof RedisServer redis
                ? first(PING, redis.command("INFO", "commandstats"), 0)
                : 0);
  }

  private boolean isOfServer(String address) {
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1), HEXADECIMAL);
    return benchServers.servers().stream().anyMatch(server -> server.port() == port);
  }

  private static double memoryOf(Server server) {
    if (server instanceof RedisServer redis) {
      return first(USED_MEMORY, redis.command("INFO", "memory"), Double.NaN);
    }
    if (server instanceof EtcdServer etcd) {
      return etcd.metric("process_resident_memory_bytes");
    }
    Matcher pid = PID.matcher(server.describe());
    if (!pid.find()) {
      return Double.NaN;
    }
    return server instanceof ZooKeeperServer
        ? liveHeap(pid.group(1))
        : resident(Long.parseLong(pid.group(1)));
  }

  private static double watchesOf(Server server) {
    if (server instanceof RedisServer redis) {
      return subscriptions(redis);
    }
    if (server instanceof EtcdServer etcd) {
      return etcd.metric("etcd_debugging_mvcc_watcher_total");
    }
    return server instanceof ZooKeeperServer zookeeper
        ? first(WATCHES, zookeeper.command("mntr"), Double.NaN)
        : Double.NaN;
  }

  private static double subscriptions(RedisServer redis) {
    List<String> channels = redis.values("PUBSUB", "CHANNELS");
    if (channels.isEmpty()) {
      return 0;
    }
    List<String> counts =
        redis.values(
            Stream.concat(Stream.of("PUBSUB", "NUMSUB"), channels.stream()).toArray(String[]::new));
    double sum = 0;
    for (int i = 1; i < counts.size(); i += 2) {
      sum += Double.parseDouble(counts.get(i));
    }
    return sum;
  }

  /** After a collection, which this asks for. */
  private static double liveHeap(String pid) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      Process process =
          new ProcessBuilder(jcmd, pid, "GC.class_histogram").redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return first(LIVE_OBJECTS, said, Double.NaN);
    } catch (IOException e) {
      // Not every Java has the program.
      return Double.NaN;
    }
  }

  private static double resident(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .mapToDouble(ServerCost::proportional)
        .sum();
  }

  private static double proportional(ProcessHandle process) {
    Path file = Path.of("/proc", Long.toString(process.pid()), "smaps_rollup");
    try {
      return KILOBYTE * first(PROPORTIONAL, Files.readString(file), 0);
    } catch (IOException e) {
      // It has ended just now.
      return 0;
    }
  }

  private static double first(Pattern number, String text, double otherwise) {
    Matcher found = number.matcher(text);
    return found.find() ? Double.parseDouble(found.group(1)) : otherwise;
  }
}
