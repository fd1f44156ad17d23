/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.config.Demand;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.config.Scenario;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables on the page about choosing are the code's own, and its file does what it says. */
class ChoosingPageTest {

  /** All but the one for tests, which excludes nobody else. */
  private static final List<String> PROVIDERS =
      Locks.providers().stream().filter(name -> !name.equals("memory")).toList();

  @TempDir Path dir;

  @Test
  void theMatrixIsWhatTheCodeDecides() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header("preset"));
    for (Preset preset : Preset.values()) {
      rows.add(row("`" + preset.id() + "`", PROVIDERS.stream().map(name -> verdict(preset, name))));
    }
    assertContains(table(rows));
  }

  @Test
  void theDemandsAreThoseOfThePresets() throws IOException {
    StringBuilder demands = new StringBuilder("| preset | demands |\n|---|---|\n");
    for (Preset preset : Preset.values()) {
      String text =
          preset.demands().stream().map(Demand::text).collect(Collectors.joining("; and "));
      demands.append("| `%s` | %s |\n".formatted(preset.id(), text.isEmpty() ? "nothing" : text));
    }
    assertContains(demands.toString());
  }

  @Test
  void theTermsAreThoseOfThePresets() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("preset", "`ttl`", "`retry-initial`", "`retry-attempts`", "`renewal`"));
    for (Preset preset : locking()) {
      LockOptions terms = preset.options();
      rows.add(
          List.of(
              "`" + preset.id() + "`",
              text(terms.ttl()),
              text(terms.retry().initial()),
              terms.retry().maxAttempts().stream()
                  .mapToObj(String::valueOf)
                  .findFirst()
                  .orElse("unlimited"),
              terms.renewal() instanceof Renewal.Automatic automatic
                  ? automatic.interval().map(ChoosingPageTest::text).orElse("auto")
                  : "none"));
    }
    assertContains(table(rows));
  }

  @Test
  void theLimitIsThatOfThePreset() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("preset", "`permits`", "`window`", "`when-unavailable`"));
    Arrays.stream(Preset.values())
        .filter(Preset::limits)
        .forEach(
            preset ->
                rows.add(
                    List.of(
                        "`" + preset.id() + "`",
                        "has to be set",
                        text(Preset.WINDOW),
                        words(Preset.WHEN_UNAVAILABLE.name()))));
    assertContains(table(rows));
  }

  private static List<Preset> locking() {
    return Arrays.stream(Preset.values()).filter(preset -> !preset.limits()).toList();
  }

  @Test
  void theFactsAreTheCapabilities() throws Exception {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header("promise"));
    for (RecordComponent fact : Capabilities.class.getRecordComponents()) {
      List<String> values = new ArrayList<>();
      for (String provider : PROVIDERS) {
        Object value = fact.getAccessor().invoke(Locks.provider(provider).capabilities());
        values.add(words(String.valueOf(value)));
      }
      String name = fact.getName().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
      rows.add(row(name, values.stream()));
    }
    assertContains(table(rows));
  }

  @Test
  void theFileOnThePageDoesWhatThePageSays() throws IOException {
    LockConfig config = load(page());
    Scenario invoices = config.scenario("invoices");
    assertEquals("postgres-advisory", invoices.provider());
    assertEquals(8, invoices.options().retry().maxAttempts().orElseThrow());
    assertEquals("redis", config.scenario("cache").provider());
    assertEquals(Duration.ofSeconds(3), config.scenario("cache").options().ttl());
    assertEquals("postgres-row", config.scenario("session").provider());
  }

  /** The first file in a text, with its secret in a file that is there. */
  private LockConfig load(String text) throws IOException {
    Matcher block = Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL).matcher(text);
    assertTrue(block.find());
    Path secret = Files.writeString(dir.resolve("secret"), "secret");
    String settings = block.group(1).replaceAll("/run/secrets/\\w+", secret.toString());
    return LockConfig.load(Files.writeString(dir.resolve("holdfast.properties"), settings));
  }

  private static String verdict(Preset preset, String provider) {
    List<Demand> lacks = preset.lackedBy(Locks.provider(provider));
    if (!lacks.isEmpty()) {
      return lacks.stream()
          .map(demand -> words(demand.name()))
          .collect(Collectors.joining(", ", "lacks ", ""));
    }
    int place = preset.recommended().indexOf(provider);
    return place < 0 ? "yes" : "**" + (place + 1) + "**";
  }

  private static List<String> header(String first) {
    return row(first, PROVIDERS.stream().map(name -> "`" + name + "`"));
  }

  private static List<String> row(String first, Stream<String> rest) {
    return Stream.concat(Stream.of(first), rest).toList();
  }

  private static String table(List<List<String>> rows) {
    StringBuilder table = new StringBuilder();
    for (List<String> row : rows) {
      table.append("| ").append(String.join(" | ", row)).append(" |\n");
      if (table.indexOf("|---") < 0) {
        table.append("|---".repeat(row.size())).append("|\n");
      }
    }
    return table.toString();
  }

  private static String words(String constant) {
    return Arrays.stream(constant.split("_", -1))
        .map(word -> word.equals("TTL") ? word : word.toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" "));
  }

  private static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis < 1_000
        ? millis + " ms"
        : millis % 1_000 == 0 ? millis / 1_000 + " s" : millis / 1_000.0 + " s";
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "choosing.md"));
  }

  private static void assertContains(String text) throws IOException {
    assertTrue(page().contains(text), () -> "docs/choosing.md should contain\n" + text);
  }
}
