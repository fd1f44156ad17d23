/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures an uncontended lock on five servers: acquire and release, next to the same scripts at
 * all five at once on bare connections, and next to a lock on one server, taking turns in one run;
 * how many grants took one round; and how long it takes while two of the five hang.
 */
final class RedlockCost {

  private static final int WARM_UP = 3_000;
  private static final int ROUNDS = 5_000;
  private static final String[] BOTH = {"lock:bare", "lock#token:bare"};
  private static final String[] ONE = {"lock:bare"};

  private RedlockCost() {}

  public static void main(String[] arguments) throws Exception {
    List<RedisServer> servers = RedlockFixture.launch(5);
    RedisClient lettuce = RedisClient.create();
    try (LockClient five =
            Locks.open(RedlockFixture.settings(servers.stream().map(RedisServer::port).toList()));
        LockClient one =
            Locks.open(
                Map.of("provider", "redis", "uri", "redis://127.0.0.1:" + servers.get(0).port()))) {
      List<StatefulRedisConnection<String, String>> bare = new ArrayList<>();
      for (RedisServer server : servers) {
        bare.add(
            lettuce.connect(io.lettuce.core.RedisURI.create("redis://127.0.0.1:" + server.port())));
      }
      DistributedLock lock = five.lock("cost");
      DistributedLock single = one.lock("cost-of-one");
      long[] quorum = new long[ROUNDS];
      long[] scripts = new long[ROUNDS];
      long[] alone = new long[ROUNDS];
      long before = 0;
      for (int i = -WARM_UP; i < ROUNDS; i++) {
        if (i == 0) {
          before = scripts(servers);
        }
        long a = System.nanoTime();
        lock.acquire().close();
        long b = System.nanoTime();
        atAll(bare, Script.ACQUIRE, BOTH, "me", "30000", "0", "1048576");
        atAll(bare, Script.RELEASE, ONE, "me", "tell");
        long c = System.nanoTime();
        single.acquire().close();
        long d = System.nanoTime();
        if (i >= 0) {
          quorum[i] = b - a;
          scripts[i] = c - b;
          alone[i] = d - c;
        }
      }
      print("acquire + release over 5 servers", quorum);
      print("two scripts at all 5, waiting for all", scripts);
      print("acquire + release on 1 server", alone);
      System.out.printf(
          "ratio of the medians: %.2f to the bare scripts, %.2f to one server%n",
          at(quorum, 0.5) / at(scripts, 0.5), at(quorum, 0.5) / at(alone, 0.5));
      // Each round is ten scripts for the lock, ten bare ones, and two at the single server.
      long raises = scripts(servers) - before - 22L * ROUNDS;
      System.out.printf(
          "numbers raised in a second round: %d requests for %d grants, so at least %.2f%% of the"
              + " grants took one round%n",
          raises, ROUNDS, 100.0 * (ROUNDS - raises) / ROUNDS);
      hanging(servers, lock);
    } finally {
      lettuce.shutdown();
      servers.forEach(RedisServer::close);
    }
  }

  private static void hanging(List<RedisServer> servers, DistributedLock lock)
      throws InterruptedException {
    servers.subList(0, 2).forEach(RedisServer::suspend);
    long[] times = new long[200];
    for (int i = 0; i < times.length; i++) {
      long began = System.nanoTime();
      lock.acquire().close();
      times[i] = System.nanoTime() - began;
    }
    servers.subList(0, 2).forEach(RedisServer::resume);
    System.out.printf("the first of them: %.0f us%n", times[0] / 1e3);
    print("acquire + release while 2 of 5 hang", times);
  }

  private static void atAll(
      List<StatefulRedisConnection<String, String>> bare,
      Script script,
      String[] keys,
      String... args)
      throws Exception {
    CompletableFuture<?>[] all =
        bare.stream()
            .map(connection -> script.<Object>call(connection.async(), keys, args))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(all).get(5, TimeUnit.SECONDS);
  }

  /** How many scripts all servers have run. */
  private static long scripts(List<RedisServer> servers) {
    return servers.stream().mapToLong(server -> calls(server, "evalsha")).sum();
  }

  private static long calls(RedisServer server, String command) {
    return server
        .command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
        .mapToLong(line -> Long.parseLong(line.split("=", 2)[1].split(",", 2)[0]))
        .sum();
  }

  private static void print(String what, long[] nanos) {
    System.out.printf(
        "%-40s median %5.0f us, p99 %6.0f us%n", what, at(nanos, 0.5), at(nanos, 0.99));
  }

  private static double at(long[] nanos, double share) {
    Arrays.sort(nanos);
    return nanos[(int) (share * (nanos.length - 1))] / 1_000.0;
  }
}
