/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Results.Line;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how the page shows the figures. */
class ResultsPageTest {

  @TempDir private Path out;

  private final Results results = new Results(line -> {});

  private void add(Kind kind, String name, double... values) {
    for (int round = 0; round < values.length; round++) {
      results.add(
          new Line("A", "redis", kind, name, UncontendedSection.MEDIAN, round, values[round]));
    }
  }

  private void addRate(Kind kind, String name, double value) {
    results.add(
        new Line("H", "redis", kind, name, SharingSection.READERS + SharingSection.RATE, 0, value));
  }

  private String verdict(String text) {
    return Goals.all().stream()
        .filter(goal -> goal.text().equals(text))
        .findFirst()
        .orElseThrow()
        .verdict(results);
  }

  private String page() throws Exception {
    Arguments arguments = Arguments.parse("A", "redis", "--out=" + out);
    new ResultsPage(arguments, results, new Runs(out)).write();
    return Files.readString(out.resolve("README.md"));
  }

  @Test
  void ratiosAreThoseOfTheSameRound() {
    add(Kind.OURS, "holdfast redis", 110, 1_100, 11);
    add(Kind.LIMIT, "2 EVALSHA", 100, 1_000, 10);
    Results.Spread ratio =
        results
            .ratio("A", "redis", "holdfast redis", "2 EVALSHA", UncontendedSection.MEDIAN)
            .orElseThrow();
    assertEquals(1.1, ratio.least(), 1e-9);
    assertEquals(1.1, ratio.most(), 1e-9);
    assertEquals("met", verdict("redis: time, × the limit"));
  }

  @Test
  void aGoalIsMetMissedOrNotMeasured() {
    add(Kind.OURS, "holdfast redis", 120);
    assertEquals("not measured", verdict("redis: time, × the limit"));
    add(Kind.LIMIT, "2 EVALSHA", 100);
    add(Kind.PEER, "Redisson RLock", 150);
    assertEquals("**not met**", verdict("redis: time, × the limit"));
    assertEquals("met", verdict("redis: time, × the fastest peer"));
    add(Kind.PEER, "ShedLock Redis", 119);
    assertEquals("**not met**", verdict("redis: time, × the fastest peer"));
  }

  @Test
  void aGoalBetweenTheRoundsIsWithinNoise() {
    add(Kind.OURS, "holdfast redis", 110, 112, 120);
    add(Kind.LIMIT, "2 EVALSHA", 100, 100, 100);
    assertEquals("met, within noise", verdict("redis: time, × the limit"));
    add(Kind.PEER, "Redisson RLock", 100, 115, 115);
    assertEquals("**not met**, within noise", verdict("redis: time, × the fastest peer"));
  }

  @Test
  void aGoalThatAllRoundsReachIsNotNoise() {
    add(Kind.OURS, "holdfast redis", 110, 115, 90);
    add(Kind.LIMIT, "2 EVALSHA", 100, 100, 100);
    assertEquals("met", verdict("redis: time, × the limit"));
  }

  @Test
  void figuresOfOneContestantAreComparedRoundByRound() {
    for (int round = 0; round < 2; round++) {
      double commands = round == 0 ? 2 : 4;
      String crossing = HandOverSection.CROSSING;
      addOfC(HandOverSection.SIXTEEN + crossing, round, commands);
      addOfC(HandOverSection.MANY + crossing, round, 1.05 * commands);
    }
    assertEquals("met", verdict("redis, the same with 200 waiters, × with 16"));
  }

  private void addOfC(String figure, int round, double value) {
    results.add(new Line("C", "redis", Kind.OURS, "holdfast redis", figure, round, value));
  }

  @Test
  void readersAreComparedWithAPeerThatHasReadWriteLocksOnly() {
    String goal = "redis, 16 readers of one process: acquisitions, × the best peer";
    addRate(Kind.OURS, "holdfast redis", 2_000);
    assertEquals("not measured", verdict(goal));
    addRate(Kind.PEER, "Redisson RReadWriteLock", 100);
    assertEquals("met", verdict(goal));
  }

  @Test
  void readersThatAreTooFewTimesFasterDoNotMeetTheGoal() {
    addRate(Kind.OURS, "holdfast redis", 1_999);
    addRate(Kind.PEER, "Redisson RReadWriteLock", 100);
    assertEquals(
        "**not met**", verdict("redis, 16 readers of one process: acquisitions, × the best peer"));
  }

  @Test
  void linesAreReadAsTheyWereWritten() {
    add(Kind.OURS, "holdfast redis", 1.5, Double.POSITIVE_INFINITY);
    for (Line line : results.lines()) {
      assertEquals(line, Line.parse(line.tsv()));
    }
  }

  @Test
  void thePageShowsFiguresGoalsAndAChart() throws Exception {
    add(Kind.OURS, "holdfast redis", 120, 110, 130);
    add(Kind.LIMIT, "2 EVALSHA", 100, 100, 100);
    String page = page();
    assertTrue(page.contains("| median µs | 120 (110–130) | 100 |"), page);
    assertTrue(
        page.contains(
            "| A | redis: time, × the limit | ≤ 1.15 | 1.20 (1.10–1.30) | **not met**, within noise |"),
        page);
    assertTrue(page.contains("(a.svg)"), page);
    String svg = Files.readString(out.resolve("a.svg"));
    assertTrue(svg.contains("class=\"ours\""), svg);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aChartOfNothingIsNotDrawn() throws Exception {
    assertFalse(page().contains(".svg"));
  }
}
