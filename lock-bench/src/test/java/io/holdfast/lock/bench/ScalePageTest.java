/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

/** The page about scale, the one that is there and one of invented figures. */
class ScalePageTest {

  private static final Path WRITTEN = Path.of("../docs/scale");

  private static final Run RUN = new Run("2026-01-02", "abc", "1 round", "a machine", "jars");

  @TempDir private Path out;

  private final Results results = new Results(line -> {});

  private void add(String figure, double value) {
    results.add(
        new Line(ScaleSection.NAME, "redis", Kind.OURS, "holdfast redis", figure, 0, value));
  }

  /** Each process has a connection; it sends more often if it holds leases. */
  private void addFigures() {
    add(ScaleFigures.state(0, 0, ScaleSection.MEMORY), 1e6);
    add(ScaleFigures.state(0, 0, ScaleSection.CONNECTIONS), 0);
    for (int processes : new int[] {5, 25, 100}) {
      for (int leases : new int[] {0, 1_000, 10_000}) {
        add(ScaleFigures.state(processes, leases, ScaleSection.CONNECTIONS), processes);
        add(
            ScaleFigures.state(processes, leases, ScaleSection.COMMANDS),
            0.2 * processes + (leases == 0 ? 0 : 0.1 * processes + 1e-3 * leases));
        add(
            ScaleFigures.state(processes, leases, ScaleSection.MEMORY),
            1e6 + 1e4 * processes + 200.0 * leases);
      }
      add(ScaleFigures.waiting(processes, ScaleSection.HAND_OVER), 4);
    }
  }

  private String write() throws Exception {
    Path directory = Files.createDirectories(out.resolve("scale"));
    Runs runs = new Runs(directory);
    runs.begin(ScaleSection.NAME, "redis", "redis-server 7", RUN);
    new ScalePage(directory, results).write(runs);
    return Files.readString(out.resolve("scale.md"));
  }

  @Test
  void thePageIsWhatTheResultsGive() throws Exception {
    for (String line : Files.readAllLines(WRITTEN.resolve(Bench.RESULTS))) {
      results.add(Line.parse(line));
    }
    ScalePage page = new ScalePage(WRITTEN, results);
    assertEquals(
        page.tables(), ScalePage.between(Files.readString(page.file()), ScalePage.FIGURES));
    for (ScaleFigures figures : ScaleTables.figures(results)) {
      assertEquals(
          ScaleChart.svg(figures),
          Files.readString(WRITTEN.resolve(ScalePage.picture(figures))),
          figures.backend());
    }
  }

  @Test
  void showsFormulasWhatWasMeasuredAndWhatIsComputed() throws Exception {
    addFigures();
    String page = write();
    assertTrue(page.contains("- server connections = 1 × processes\n"), page);
    assertTrue(page.contains("- server commands/s without leases = 0.2 × processes\n"), page);
    assertTrue(
        page.contains("- server commands/s with leases = 0.3 × processes + 0.001 × leases\n"),
        page);
    assertTrue(
        page.contains("- server memory = 1 MB + 10 kB × processes + 200 B × leases\n"), page);
    assertTrue(
        page.contains("| 5 | 1,000 | **5** (5) | **2.5** (2.5) | **1.25 MB** (1.25 MB) |"), page);
    assertTrue(page.contains("| 10,000 | 1,000,000 | 10,000 | 4,000 | 301 MB |"), page);
    assertTrue(
        page.contains("| redis | 5: **4** (4), 25: **4** (4), 100: **4** (4); 1,000: 4, "), page);
    assertTrue(page.contains("(redis; 2026-01-02, commit abc), on a machine."), page);
    assertTrue(page.contains("Servers: redis-server 7."), page);
  }

  @Test
  void thePictureHasDotsAndLines() throws Exception {
    addFigures();
    String page = write();
    assertTrue(page.contains("](scale/redis.svg)"), page);
    String svg = Files.readString(out.resolve("scale/redis.svg"));
    assertTrue(svg.contains("<circle class=\"s1\""), svg);
    assertTrue(svg.contains("<polyline class=\"s3\""), svg);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void handwrittenTextStays() throws Exception {
    addFigures();
    String page = write();
    Path file = out.resolve("scale.md");
    Files.writeString(file, page.replace("## Figures", "By hand.\n\n## Figures") + "The end.\n");
    add(ScaleFigures.waiting(200, ScaleSection.HAND_OVER), 4);
    String again = write();
    assertTrue(again.contains("By hand.\n\n## Figures"), again);
    assertTrue(again.endsWith("The end.\n"), again);
    assertTrue(again.contains("100: **4** (4), 200: **4** (4); 1,000: 4, "), again);
  }

  @Test
  void aPageWithoutMarksIsNotOverwritten() throws Exception {
    addFigures();
    Files.writeString(out.resolve("scale.md"), "# Something else\n");
    assertThrows(IllegalStateException.class, this::write);
    assertEquals("# Something else\n", Files.readString(out.resolve("scale.md")));
  }

  @Test
  void numbersAreShort() {
    assertEquals("0", ScaleUnit.COUNT.text(0));
    assertEquals("0.00062", ScaleUnit.COUNT.text(0.000_616));
    assertEquals("3.1", ScaleUnit.COUNT.text(3.14));
    assertEquals("31.4", ScaleUnit.COUNT.text(31.416));
    assertEquals("123,000", ScaleUnit.COUNT.text(123_456));
    assertEquals("7 B", ScaleUnit.BYTES.text(7.3));
    assertEquals("1 kB", ScaleUnit.BYTES.text(1_000));
    assertEquals("1.23 GB", ScaleUnit.BYTES.text(1_234_000_000));
  }
}
