/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.testsupport.PageExamples;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of meters in {@code docs/monitoring.md} is what is registered; its Java compiles. */
class MonitoringPageTest {

  private static final Path PAGE = PageExamples.page("monitoring.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> OPEN_TAGS = Set.of("client", "family", "mode");

  private static final String PROGRAM =
      """
      import io.holdfast.lock.*;
      import io.holdfast.lock.micrometer.*;
      import io.micrometer.core.instrument.MeterRegistry;
      import io.micrometer.observation.ObservationRegistry;
      import java.time.Duration;
      import java.util.Map;
      import org.slf4j.Logger;

      abstract class %s {
        interface Batches { void stopAfterThisOne(); }
        LockClient client;
        LockOptions options;
        MeterRegistry registry;
        ObservationRegistry observationRegistry;
        Logger log;
        Batches batches;
        String order;
        abstract void ship(String order, long token);
        void example() throws Exception {
      %s
        }
      }
      """;

  @TempDir private Path dir;

  /** One row: type, unit, and the values of each tag, where they are few. */
  private record Row(String type, String unit, Map<String, Set<String>> tags) {}

  private static Map<String, Row> onThePage() throws IOException {
    Map<String, Row> rows = new TreeMap<>();
    for (String[] cells : cells()) {
      rows.put(code(cells[1]), new Row(cells[3].strip(), cells[4].strip(), tags(cells[5])));
    }
    assertTrue(rows.size() >= 10, rows.toString());
    return rows;
  }

  private static Iterable<String[]> cells() throws IOException {
    try (Stream<String> lines = Files.lines(PAGE)) {
      return lines
          .filter(line -> line.startsWith("| `holdfast.") && line.contains("| `holdfast_"))
          .map(line -> line.split("\\|", -1))
          .toList();
    }
  }

  private static String code(String cell) {
    return CODE.matcher(cell).results().findFirst().orElseThrow().group(1);
  }

  /**
   * {@code `a`, `b` = `x`, `y`}: the words after a sign of equality are values of the tag before
   * it.
   */
  private static Map<String, Set<String>> tags(String cell) {
    Map<String, Set<String>> tags = new TreeMap<>();
    String[] parts = cell.split("=", -1);
    String last = "";
    for (MatchResult tag : CODE.matcher(parts[0]).results().toList()) {
      last = tag.group(1);
      tags.put(last, new TreeSet<>());
    }
    if (parts.length > 1) {
      tags.put(
          last,
          CODE.matcher(parts[1])
              .results()
              .map(value -> value.group(1))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    return tags;
  }

  private static Map<String, Row> registered(MeterRegistry registry) {
    Map<String, Row> rows = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      Row row =
          rows.computeIfAbsent(
              id.getName(),
              name -> new Row(type(meter), String.valueOf(id.getBaseUnit()), new TreeMap<>()));
      for (Tag tag : id.getTags()) {
        Set<String> values = row.tags.computeIfAbsent(tag.getKey(), key -> new TreeSet<>());
        if (!OPEN_TAGS.contains(tag.getKey())) {
          values.add(tag.getValue());
        }
      }
    }
    return rows;
  }

  private static String type(Meter meter) {
    return meter instanceof FunctionTimer
        ? "function timer"
        : meter.getId().getType().name().toLowerCase(Locale.ROOT);
  }

  @Test
  void itsJavaCompiles() throws IOException {
    Map<String, String> code = new TreeMap<>();
    for (String block : PageExamples.blocks(PAGE, "", "java")) {
      String name = "Example" + code.size();
      code.put(name, PROGRAM.formatted(name, block));
    }
    PageExamples.compile(dir, code, System.getProperty("java.class.path"));
  }

  @Test
  void theTableIsWhatIsRegistered() throws IOException {
    try (MeterHarness scene = new MeterHarness()) {
      HoldfastMeters.bind(scene.client(), scene.registry);
      assertEquals(onThePage(), registered(scene.registry));
      for (Meter meter : scene.registry.getMeters()) {
        assertTrue(
            !Objects.requireNonNullElse(meter.getId().getDescription(), "").isBlank(),
            meter.getId().toString());
      }
    }
  }

  @Test
  void theNamesAtPrometheusAreThoseOfAScrape() throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (MeterHarness scene = new MeterHarness()) {
      HoldfastMeters.bind(scene.client(), registry);
      Set<String> scraped =
          registry
              .scrape()
              .lines()
              .filter(line -> line.startsWith("# TYPE "))
              .map(line -> line.split(" ", -1)[2])
              .filter(name -> !name.endsWith("_max"))
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> written = new TreeSet<>();
      for (String[] cells : cells()) {
        written.add(code(cells[2]));
      }
      assertEquals(scraped, written);
    }
  }
}
