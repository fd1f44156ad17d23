/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.tck.rules.FullLogging;
import io.holdfast.lock.tck.rules.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command shows or logs a password, as rule SE-1 has it of the library. */
class SecretsTest {

  @TempDir private Path directory;

  @Test
  void noCommandShowsAPassword() {
    Secret secret = Secret.random();
    List<String> shown = new CopyOnWriteArrayList<>();
    try (ChildJvm commands =
        ChildJvm.start(
            List.of(FullLogging.OPTION),
            SecretsMain.class,
            Map.of(),
            shown::add,
            secret.text(),
            directory.toString())) {
      assertEquals(0, commands.awaitExit(Duration.ofMinutes(3)), () -> String.join("\n", shown));
    }
    assertTrue(shown.contains(SecretsMain.ENDED), () -> String.join("\n", shown));
    assertEquals(Optional.empty(), secret.toldIn(shown));
  }

  /** The levels at which SE-1 looks at client libraries are those that the page recommends. */
  @Test
  void thePageNamesTheLoggersToKeepDown() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "security.md"));
    FullLogging.KEPT_AT.forEach(
        (logger, level) ->
            assertTrue(
                page.lines()
                    .anyMatch(
                        line ->
                            line.startsWith("| ")
                                && line.contains("`" + logger + "`")
                                && line.contains("| `" + level + "` |")),
                () -> "no row with " + logger + " and " + level));
  }
}
