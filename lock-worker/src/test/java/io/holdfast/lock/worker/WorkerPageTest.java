/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The diagram on the page about workers is the code's own. */
class WorkerPageTest {

  @Test
  void theDiagramShowsTheTransitions() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "worker.md"));
    assertTrue(page.contains(diagram()), () -> "docs/worker.md should contain\n" + diagram());
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
