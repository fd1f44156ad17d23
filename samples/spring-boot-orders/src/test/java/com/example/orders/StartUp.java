/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.servers.Ports;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Measures what the starter adds to the start of the application, by turns: with it, and with a
 * class path that has nothing of Holdfast but the types that the code names. Prints the times from
 * the start of the process until Spring Boot says that it has started. The argument is the number
 * of starts of each, 10 if there is none.
 *
 * <p>Without the starter, nothing uses Redis while the application starts. So a third variant has
 * no starter either, but asks Redis once at its start, as an application does that uses it.
 */
public final class StartUp {

  private static final List<String> KEPT = List.of("lock-api", "lock-worker");

  private StartUp() {}

  /** What is started. */
  private enum Variant {
    WITHOUT_STARTER,
    WITHOUT_STARTER_REDIS_USED,
    WITH_STARTER
  }

  /** How long one start took: by the clock, and by the processors. */
  private record Start(long millis, long cpuMillis) {}

  public static void main(String[] args) throws Exception {
    int starts = args.length == 0 ? 10 : Integer.parseInt(args[0]);
    Map<Variant, List<Start>> all = new TreeMap<>();
    try (PostgresServer postgres = PostgresServer.launch();
        RedisServer redis = RedisServer.launch()) {
      for (int i = -1; i < starts; i++) {
        for (Variant variant : Variant.values()) {
          Start start = start(variant, postgres, redis);
          if (i >= 0) {
            all.computeIfAbsent(variant, each -> new ArrayList<>()).add(start);
          }
        }
      }
    }
    print("by the clock", Start::millis, all);
    print("of processor time", Start::cpuMillis, all);
  }

  private static void print(
      String what, ToLongFunction<Start> time, Map<Variant, List<Start>> all) {
    List<Start> with = all.get(Variant.WITH_STARTER);
    all.forEach(
        (variant, starts) -> {
          List<Long> times = starts.stream().map(time::applyAsLong).toList();
          List<Long> more = new ArrayList<>();
          for (int i = 0; i < times.size(); i++) {
            more.add(time.applyAsLong(with.get(i)) - times.get(i));
          }
          System.out.printf(
              "%-27s %5d ms %s (median of %s); the starter adds %d ms (median of the pairs)%n",
              variant, median(times), what, times, median(more));
        });
  }

  private static long median(List<Long> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }

  private static Start start(Variant variant, PostgresServer postgres, RedisServer redis)
      throws IOException, InterruptedException {
    String classPath = System.getProperty("java.class.path");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                variant == Variant.WITH_STARTER ? classPath : without(classPath),
                (variant == Variant.WITHOUT_STARTER_REDIS_USED
                        ? RedisUsed.class
                        : OrdersApplication.class)
                    .getName(),
                "--server.port=" + Ports.free(),
                "--spring.datasource.url=" + postgres.url(),
                "--spring.datasource.username=" + PostgresServer.USER,
                "--spring.data.redis.host=" + redis.host(),
                "--spring.data.redis.port=" + redis.port()));
    long begin = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.contains(" : Started ")) {
          long nanos = System.nanoTime() - begin;
          return new Start(
              TimeUnit.NANOSECONDS.toMillis(nanos),
              process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L));
        }
        lines.add(line);
      }
      throw new IllegalStateException("It did not start: " + lines);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static String without(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(
            entry ->
                !entry.contains("holdfast")
                    || KEPT.stream().anyMatch(kept -> entry.contains(File.separator + kept + "-")))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
