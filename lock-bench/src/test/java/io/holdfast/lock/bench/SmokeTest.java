/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every section runs, for a fraction of a second. The measured values are not checked. */
class SmokeTest {

  @TempDir private Path out;

  private Results run(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("--smoke", "--out=" + out));
    all.addAll(Arrays.asList(arguments));
    return Bench.run(Arguments.parse(all.toArray(String[]::new)), System.out);
  }

  private static Set<String> contestants(Results results, String section) {
    return results.lines().stream()
        .filter(line -> line.section().equals(section))
        .map(Results.Line::contestant)
        .collect(Collectors.toSet());
  }

  private static long figuresWith(Results results, String end) {
    return results.lines().stream().filter(line -> line.figure().endsWith(end)).count();
  }

  private static Set<String> all(String backend) {
    return Contestants.of(backend).stream().map(Entry::name).collect(Collectors.toSet());
  }

  private static void areNumbers(Results results) {
    assertEquals(
        List.of(),
        results.lines().stream()
            .filter(line -> !(line.value() >= 0 || isDifference(line.figure())))
            .toList());
  }

  /** Which may be anything in so short a time, and of so few. */
  private static boolean isDifference(String figure) {
    return figure.startsWith(EngineSection.OWN) || figure.endsWith(HeldSection.HEAP);
  }

  @Test
  void allContestantsRunOnRedis() throws Exception {
    Results results = run("A", "B", "redis");
    assertEquals(all("redis"), contestants(results, "A"));
    assertEquals(all("redis"), contestants(results, "B"));
    areNumbers(results);
  }

  @Tag("other-jdk")
  @Test
  void keptResultsStayUnlessMeasuredAgain() throws Exception {
    Results before = run("A", "F", "redis", "memory", "--kinds=ours");
    Results after = run("F", "memory", "--kinds=ours", "--keep");
    assertEquals(before.lines().size(), after.lines().size());
    assertEquals(lines(before, "A"), lines(after, "A"));
    assertNotEquals(lines(before, "F"), lines(after, "F"));
    String page = Files.readString(out.resolve("README.md"));
    assertTrue(page.contains("Servers: redis-server"), page);
    assertTrue(page.contains("redis: run 1 ("), page);
    assertTrue(page.contains("memory: run "), page);
    assertTrue(page.contains("| redis | holdfast redis |"), page);
  }

  private static List<Results.Line> lines(Results results, String section) {
    return results.lines().stream().filter(line -> line.section().equals(section)).toList();
  }

  @Tag("other-jdk")
  @Test
  void theOtherSectionsRun() throws Exception {
    Results results = run("C", "D", "E", "F", "G", "redis", "memory", "--kinds=ours");
    for (String section : List.of("C", "D", "E", "G")) {
      assertEquals(Set.of("holdfast redis"), contestants(results, section), section);
    }
    assertEquals(Set.of("holdfast memory"), contestants(results, "F"));
    assertEquals(4, figuresWith(results, EngineSection.TO_NO_JFR));
    areNumbers(results);
    noneOverlap(results);
  }

  @Tag("other-jdk")
  @Test
  void allWithReadWriteLocksOrSemaphoresRunOnRedis() throws Exception {
    Results results = run("H", "I", "redis");
    assertEquals(Set.of("holdfast redis", "Redisson RReadWriteLock"), contestants(results, "H"));
    assertEquals(
        Set.of("holdfast redis", "Redisson RPermitExpirableSemaphore"), contestants(results, "I"));
    areNumbers(results);
    noneOverlap(results);
  }

  @Tag("other-jdk")
  @Test
  void allWithReadWriteLocksOrSemaphoresRunOnZooKeeper() throws Exception {
    Results results = run("H", "I", "zookeeper");
    assertEquals(
        Set.of("holdfast zookeeper", "Curator InterProcessReadWriteLock"),
        contestants(results, "H"));
    assertEquals(
        Set.of("holdfast zookeeper", "Curator InterProcessSemaphoreV2"), contestants(results, "I"));
    areNumbers(results);
    noneOverlap(results);
  }

  @Tag("other-jdk")
  @Test
  void scaleIsMeasuredOnRedisAndHasAPageOfItsOwn() throws Exception {
    scale("redis", "server memory", "watches, subscriptions");
  }

  @Test
  void scaleIsMeasuredOnZooKeeper() throws Exception {
    scale("zookeeper", "server memory", "watches, subscriptions");
  }

  @Test
  void scaleIsMeasuredOnEtcd() throws Exception {
    scale("etcd", "server memory", "watches, subscriptions");
  }

  @Test
  void scaleIsMeasuredOnPostgres() throws Exception {
    scale("postgres-row", "server memory");
    scale("postgres-advisory", "server memory");
  }

  private void scale(String backend, String... columns) throws Exception {
    Path directory = out.resolve("scale");
    Results results = run("J", backend, "--out=" + directory);
    assertEquals(Set.of("holdfast " + backend), contestants(results, "J"));
    areNumbers(results);
    String page = Files.readString(out.resolve("scale.md"));
    for (String column : columns) {
      assertTrue(page.contains("- " + column), page);
    }
    assertTrue(Files.exists(directory.resolve(backend + ".svg")));
    assertFalse(Files.exists(directory.resolve("README.md")));
  }

  private static void noneOverlap(Results results) {
    assertEquals(
        List.of(),
        results.lines().stream()
            .filter(line -> line.figure().endsWith(HandOverSection.OVERLAPS))
            .filter(line -> line.value() > 0)
            .toList());
  }
}
