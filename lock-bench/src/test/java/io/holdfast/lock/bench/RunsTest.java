/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Results.Line;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which run figures are of, when some of an earlier one are kept. */
class RunsTest {

  private static final Run FIRST = new Run("2026-01-02", "abc", "1 round", "a machine", "jars");
  private static final Run SECOND = new Run("2026-03-04", "def", "2 rounds", "another", "jars");

  @TempDir private Path directory;

  /** The second measures one of three again. */
  @BeforeEach
  void twoRuns() throws Exception {
    Runs first = new Runs(directory);
    first.begin("A", "redis", "redis-server 7", FIRST);
    first.begin("A", "etcd", "etcd 3", FIRST);
    first.begin("F", "memory", "", FIRST);
    Runs.read(directory).begin("A", "etcd", "etcd 4", SECOND);
  }

  @Test
  void aRepeatedMeasurementIsOfTheLaterRun() throws Exception {
    Runs runs = Runs.read(directory);
    assertEquals(List.of(FIRST, SECOND), runs.all());
    assertEquals(List.of("redis"), runs.of("A").get(FIRST));
    assertEquals(List.of("etcd"), runs.of("A").get(SECOND));
    assertEquals("etcd 4, redis-server 7", runs.servers());
  }

  @Test
  void eachSectionSaysOfWhichRunItIs() throws Exception {
    Results results = new Results(line -> {});
    for (String backend : List.of("redis", "etcd", "zookeeper")) {
      String figure = UncontendedSection.MEDIAN;
      results.add(new Line("A", backend, Kind.OURS, "holdfast " + backend, figure, 0, 1));
    }
    Arguments arguments = Arguments.parse("A", "--out=" + directory);
    new ResultsPage(arguments, results, Runs.read(directory)).write();
    String page = Files.readString(directory.resolve("README.md"));
    assertTrue(page.contains("1. 2026-01-02, commit abc: 1 round; on a machine."), page);
    assertTrue(page.contains("2. 2026-03-04, commit def: 2 rounds; on another."), page);
    assertTrue(
        page.contains(
            "redis: run 1 (2026-01-02, commit abc); etcd: run 2 (2026-03-04, commit def);"
                + " zookeeper: an earlier run."),
        page);
  }
}
