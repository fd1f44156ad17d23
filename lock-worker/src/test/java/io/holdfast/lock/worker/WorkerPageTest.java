/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The diagram on the page about workers is the code's own, and so is the worked example. */
class WorkerPageTest {

  private static final Path SAMPLE =
      Path.of("..", "lock-sample", "src/main/java/io/holdfast/lock/sample/JobWorker.java");

  @Test
  void theDiagramShowsTheTransitions() throws IOException {
    String page = Files.readString(PageExamples.page("worker.md"));
    assertTrue(page.contains(diagram()), () -> "docs/worker.md should contain\n" + diagram());
  }

  @Test
  void theExampleIsThatOfTheSample() throws IOException {
    String code = flat(Files.readString(SAMPLE));
    List<String> blocks =
        PageExamples.blocks(PageExamples.page("worker.md"), "`JobWorker`", "java");
    assertEquals(3, blocks.size());
    blocks.forEach(block -> assertTrue(code.contains(flat(block)), () -> "not its code\n" + block));
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  private static String diagram() {
    StringBuilder diagram = new StringBuilder("```mermaid\nstateDiagram-v2\n  [*] --> IDLE\n");
    for (WorkerState from : WorkerState.values()) {
      for (WorkerState to : from.next()) {
        diagram.append("  ").append(from).append(" --> ").append(to).append('\n');
      }
    }
    return diagram.append("```\n").toString();
  }
}
