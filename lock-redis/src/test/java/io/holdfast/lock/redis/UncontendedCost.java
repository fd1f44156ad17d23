/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures an uncontended lock: acquire and release, next to the two bare scripts on a connection
 * of the same client library, taking turns in one run.
 */
final class UncontendedCost {

  private static final int WARM_UP = 5_000;
  private static final int ROUNDS = 10_000;

  private UncontendedCost() {}

  public static void main(String[] arguments) throws Exception {
    try (RedisServer server = RedisServer.launch();
        LockClient client = Locks.open(RedisFixture.settings(server.host(), server.port()))) {
      RedisClient lettuce = RedisClient.create("redis://" + server.host() + ":" + server.port());
      try (StatefulRedisConnection<String, String> bare = lettuce.connect()) {
        DistributedLock lock = client.lock("cost");
        String[] both = {"lock:bare", "lock#token"};
        String[] one = {"lock:bare"};
        long[] locked = new long[ROUNDS];
        long[] scripts = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
          long began = System.nanoTime();
          lock.acquire().close();
          long between = System.nanoTime();
          Script.ACQUIRE
              .<List<Long>>call(bare.async(), both, "me", "30000", "0", "1")
              .get(5, TimeUnit.SECONDS);
          Script.RELEASE.<List<Long>>call(bare.async(), one, "me", "tell").get(5, TimeUnit.SECONDS);
          long ended = System.nanoTime();
          if (i >= 0) {
            locked[i] = between - began;
            scripts[i] = ended - between;
          }
        }
        System.out.printf(
            "acquire + release: median %.0f us, p99 %.0f us%n"
                + "two scripts:       median %.0f us, p99 %.0f us%n"
                + "ratio of the medians: %.2f%n",
            at(locked, 0.5),
            at(locked, 0.99),
            at(scripts, 0.5),
            at(scripts, 0.99),
            at(locked, 0.5) / at(scripts, 0.5));
      } finally {
        lettuce.shutdown();
      }
    }
  }

  private static double at(long[] nanos, double share) {
    Arrays.sort(nanos);
    return nanos[(int) (share * (nanos.length - 1))] / 1_000.0;
  }
}
