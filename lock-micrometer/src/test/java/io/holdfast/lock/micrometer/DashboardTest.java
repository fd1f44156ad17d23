/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static io.holdfast.lock.servers.Conditions.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries of the dashboard and of the alerts, against a real scrape. */
class DashboardTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Path DASHBOARD = Path.of("../docs/monitoring/holdfast-dashboard.json");
  private static final Path ALERTS = Path.of("../docs/monitoring/alerts.yml");
  private static final Path ALERTS_TEST = Path.of("src/test/resources/alerts-test.yml");
  private static final String MISSING =
      "SKIPPED: Prometheus is not installed, so no query was run. Install it with: apt-get install"
          + " prometheus";

  private static final Pattern SELECTOR = Pattern.compile("(holdfast_\\w+)(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHED_LABEL = Pattern.compile("(\\w+)\\s*[=!]");
  private static final Pattern GROUPED = Pattern.compile("(?:by|on) \\(([^)]*)\\)");
  private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)\\}\\}");
  private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

  @TempDir private Path directory;

  /** The query of a panel, and how it names each line. */
  private record Panel(String title, String query, String legend) {

    /** As Grafana sends it: all values of the variables, and a short time for rates. */
    String sent() {
      return query.replaceAll("\\$(job|client|family)", ".+").replace("$__rate_interval", "5s");
    }
  }

  private static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(DASHBOARD.toFile());
  }

  private static List<Panel> panels() throws IOException {
    List<Panel> panels = new ArrayList<>();
    for (JsonNode panel : dashboard().get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        assertEquals("${datasource}", target.at("/datasource/uid").asText());
        panels.add(
            new Panel(
                panel.get("title").asText(),
                target.get("expr").asText(),
                target.get("legendFormat").asText()));
      }
    }
    assertTrue(panels.size() >= 15, panels.toString());
    return panels;
  }

  private static List<String> alerts() throws IOException {
    try (Stream<String> lines = Files.lines(ALERTS)) {
      return lines
          .filter(line -> line.strip().startsWith("expr: "))
          .map(line -> line.strip().substring("expr: ".length()))
          .toList();
    }
  }

  private static Set<String> labels(Pattern pattern, String text) {
    Set<String> labels = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      labels.addAll(List.of(matcher.group(1).split("\\s*,\\s*", -1)));
    }
    labels.removeAll(OF_PROMETHEUS);
    return labels;
  }

  /** The labels of each series of a scrape. */
  private static Map<String, Set<String>> series(String scrape) {
    Map<String, Set<String>> series = new TreeMap<>();
    scrape
        .lines()
        .filter(line -> line.startsWith("holdfast_"))
        .forEach(
            line -> {
              Matcher sample = SELECTOR.matcher(line);
              assertTrue(sample.find(), line);
              series
                  .computeIfAbsent(sample.group(1), name -> new HashSet<>())
                  .addAll(labels(MATCHED_LABEL, sample.group(2)));
            });
    return series;
  }

  private static void exists(String query, Map<String, Set<String>> series) {
    Matcher selector = SELECTOR.matcher(query);
    boolean any = false;
    while (selector.find()) {
      any = true;
      Set<String> present = series.get(selector.group(1));
      assertTrue(present != null, () -> "nothing is called " + selector.group(1) + ": " + query);
      String matchers = selector.group(2) == null ? "" : selector.group(2);
      assertTrue(present.containsAll(labels(MATCHED_LABEL, matchers)), query);
      assertTrue(present.containsAll(labels(GROUPED, query)), query);
    }
    assertTrue(any, query);
  }

  @Test
  void theDashboardCanBeImported() throws IOException {
    JsonNode dashboard = dashboard();
    assertEquals("datasource", dashboard.at("/templating/list/0/type").asText());
    Set<Integer> ids = new HashSet<>();
    List<String> rows = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertTrue(ids.add(panel.get("id").asInt()), panel.toString());
      if (panel.get("type").asText().equals("row")) {
        rows.add(panel.get("title").asText());
      }
    }
    assertEquals(List.of("Contention", "Hold", "Loss and renewal", "Outage"), rows);
    assertFalse(dashboard.has("id"), "an id of one Grafana");
  }

  @Test
  void everyNameAndLabelIsInAScrape() throws Exception {
    try (Traffic traffic = new Traffic()) {
      traffic.round();
      Map<String, Set<String>> series = series(traffic.scrape());
      for (Panel panel : panels()) {
        exists(panel.sent(), series);
      }
      for (String alert : alerts()) {
        exists(alert, series);
      }
      for (JsonNode variable : dashboard().at("/templating/list")) {
        if (variable.get("type").asText().equals("query")) {
          String query = variable.at("/query/query").asText();
          exists(query, series);
          assertTrue(query.endsWith(", " + variable.get("name").asText() + ")"), query);
        }
      }
    }
  }

  @Test
  void everyPanelShowsWhatHappened() throws Exception {
    installed();
    try (Traffic traffic = new Traffic();
        Prometheus prometheus = Prometheus.start(directory, traffic.port(), ALERTS)) {
      until("Prometheus is ready", PATIENCE, prometheus::isReady);
      until("a scrape", PATIENCE, () -> !prometheus.query("holdfast_lock_held_leases").isEmpty());
      Map<Panel, JsonNode> open = new LinkedHashMap<>();
      panels().forEach(panel -> open.put(panel, prometheus.query(panel.sent())));
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!open.isEmpty() && System.nanoTime() - deadline < 0) {
        traffic.round();
        open.replaceAll((panel, before) -> prometheus.query(panel.sent()));
        open.entrySet().removeIf(entry -> shows(entry.getKey(), entry.getValue()));
      }
      assertEquals(Map.of(), open, "show nothing");
      until("the rules are evaluated", PATIENCE, () -> areEvaluated(prometheus.rules()));
      until("an alert", PATIENCE, () -> isFiring(prometheus.rules(), "HoldfastLeaseLost"));
    }
  }

  @Test
  void alertsFireWhenTheyShouldAndNotOtherwise() throws Exception {
    installed();
    Files.copy(ALERTS, directory.resolve("alerts.yml"));
    Files.copy(ALERTS_TEST, directory.resolve("alerts-test.yml"));
    Prometheus.check(directory, "check", "rules", "alerts.yml");
    Prometheus.check(directory, "test", "rules", "alerts-test.yml");
  }

  private static void installed() {
    boolean there =
        Prometheus.program("prometheus").isPresent() && Prometheus.program("promtool").isPresent();
    if (!there) {
      System.err.println(MISSING);
    }
    assumeTrue(there, MISSING);
  }

  /** A value above zero, with all labels that the legend has. */
  private static boolean shows(Panel panel, JsonNode result) {
    for (JsonNode series : result) {
      labels(LEGEND, panel.legend)
          .forEach(label -> assertTrue(series.get("metric").has(label), panel + ": " + series));
      if (Double.parseDouble(series.at("/value/1").asText()) > 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean areEvaluated(JsonNode groups) {
    for (JsonNode rule : groups.at("/0/rules")) {
      String health = rule.get("health").asText();
      assertFalse(health.equals("err"), rule.toString());
      if (health.equals("unknown")) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFiring(JsonNode groups, String alert) {
    for (JsonNode rule : groups.at("/0/rules")) {
      if (rule.get("name").asText().equals(alert)) {
        return rule.get("state").asText().equals("firing");
      }
    }
    throw new AssertionError("no alert " + alert);
  }
}
