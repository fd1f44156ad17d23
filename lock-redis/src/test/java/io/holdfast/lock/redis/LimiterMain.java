/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** One process of many that ask for permits as fast as they can, until they are told to stop. */
final class LimiterMain {

  private LimiterMain() {}

  /**
   * Asks from two threads.
   *
   * @param args uri, limit, window, the most permits to ask for at once, keys
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> keys = List.of(args).subList(4, args.length);
    int most = Integer.parseInt(args[3]);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong granted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    try (RateLimiter limiter =
        RateLimiters.open(
            Map.of(
                "provider", "redis",
                "uri", args[0],
                "permits", args[1],
                "window", args[2],
                "when-unavailable", "refuse",
                "connect-timeout", "30s",
                "command-timeout", "10s"))) {
      for (int i = 0; i < 2; i++) {
        SplittableRandom random = new SplittableRandom(i);
        threads.add(
            new Thread(
                () -> {
                  while (!stop.get()) {
                    String key = keys.get(random.nextInt(keys.size()));
                    int permits = 1 + random.nextInt(most);
                    if (limiter.tryAcquire(key, permits).allowed()) {
                      granted.addAndGet(permits);
                    }
                  }
                }));
      }
      System.out.println("ready");
      System.in.read();
      threads.forEach(Thread::start);
      System.in.read();
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.out.println("granted " + granted);
  }
}
