/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.ClientLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The oldest versions in docs/versions.md are those that are refused below. */
class OldestVersionsTest {

  @Test
  void thePageHasTheVersionsOfTheCode() throws IOException {
    List<String> page = Files.readAllLines(Path.of("..", "docs", "versions.md"));
    List<String> missing =
        Locks.providers().stream()
            .flatMap(name -> Locks.provider(name).libraries().stream())
            .filter(library -> page.stream().noneMatch(line -> tells(line, library)))
            .map(ClientLibrary::toString)
            .toList();
    assertEquals(List.of(), missing);
    assertFalse(Locks.provider("etcd").libraries().isEmpty());
  }

  /** Netty's differs by the version of Lettuce. */
  private static boolean tells(String line, ClientLibrary library) {
    String oldest = library.oldest().replaceFirst("(\\.0)+$", "");
    return line.startsWith("| ") && line.matches(".*[|,] " + oldest + "(\\.0)*(;| ).*");
  }
}
