/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.cli.demo.DemoOutput.State;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoOutputTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void showsLanesInUnicode() {
    assertEquals("   0.00 s    ●   ✗   B dies", lastLine(UTF_8, false));
  }

  @Test
  void showsLanesInAscii() {
    assertEquals("   0.00 s    #   x   B dies", lastLine(US_ASCII, false));
  }

  @Test
  void showsColoursWhereTheyAreWanted() {
    assertEquals(
        "   0.00 s    \033[1;32m●\033[0m   \033[1;31m✗\033[0m   B dies", lastLine(UTF_8, true));
  }

  @Test
  void writesTimesForPeople() {
    assertEquals("3 s", Times.text(Duration.ofSeconds(3)));
    assertEquals("1.50 s", Times.text(Duration.ofMillis(1500)));
    assertEquals("4.2 ms", Times.text(Duration.ofNanos(4_200_000)));
  }

  private String lastLine(Charset charset, boolean colours) {
    DemoOutput screen = new DemoOutput(new PrintStream(bytes, true, charset), charset, colours);
    screen.openLanes(List.of("A", "B"));
    screen.set("A", State.HOLDS);
    screen.set("B", State.DEAD);
    screen.event(System.nanoTime(), "B dies");
    List<String> lines = bytes.toString(charset).lines().toList();
    return lines.get(lines.size() - 1);
  }
}
