/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.ClientLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oldest versions in docs/versions.md are those that are refused below, and they work. */
class OldestVersionsTest {

  private static final List<String> BOMS =
      List.of(
          "io.netty:netty-bom:4.1.113.Final",
          "io.grpc:grpc-bom:1.63.2",
          "com.google.protobuf:protobuf-bom:3.24.0");
  private static final List<String> LIBRARIES =
      List.of(
          "io.lettuce:lettuce-core:6.5.1.RELEASE",
          "org.apache.curator:curator-framework:5.2.0",
          "org.apache.curator:curator-recipes:5.2.0",
          "org.apache.curator:curator-client:5.2.0",
          "org.apache.zookeeper:zookeeper:3.6.4",
          "org.apache.zookeeper:zookeeper-jute:3.6.4",
          "io.etcd:jetcd-core:0.7.7",
          "io.etcd:jetcd-common:0.7.7",
          "io.etcd:jetcd-api:0.7.7",
          "io.etcd:jetcd-grpc:0.7.7",
          "org.postgresql:postgresql:" + (Runtime.version().feature() >= 24 ? "42.7.6" : "42.2.29"),
          "com.zaxxer:HikariCP:6.0.0");

  @TempDir Path dir;

  /** All at once, on this JDK: as on the page, each backend does what a lock has to do. */
  @Test
  @Tag("other-jdk")
  void eachBackendWorksWithThem() throws Exception {
    SmokeProject oldest =
        new SmokeProject("oldest-versions", BOMS, LIBRARIES, SmokeProject.BACKENDS);
    try (SmokeServers servers = SmokeServers.launch(dir);
        SmokeProjects projects = SmokeProjects.of(List.of(oldest), dir.resolve("build"))) {
      String jars = SmokeProjects.joined(projects.jars(oldest));
      // Netty's oldest differs by the version of Lettuce that this test itself runs with.
      assertTrue(jars.contains("netty-common-4.1.113.Final.jar"), jars);
      List<String> newer =
          libraries().stream()
              .filter(library -> !library.coordinates().equals("io.netty:netty-common"))
              .filter(library -> !jars.contains("-" + library.oldest()))
              .map(ClientLibrary::toString)
              .toList();
      assertEquals(List.of(), newer, jars);
      projects.assertWorks(oldest, Path.of(System.getProperty("java.home")), servers.settings());
    }
  }

  @Test
  void thePageHasTheVersionsOfTheCode() throws IOException {
    List<String> page = Files.readAllLines(Path.of("..", "docs", "versions.md"));
    List<String> missing =
        libraries().stream()
            .filter(library -> page.stream().noneMatch(line -> tells(line, library)))
            .map(ClientLibrary::toString)
            .toList();
    assertEquals(List.of(), missing);
    assertFalse(Locks.provider("etcd").libraries().isEmpty());
  }

  private static List<ClientLibrary> libraries() {
    return Locks.providers().stream()
        .flatMap(name -> Locks.provider(name).libraries().stream())
        .distinct()
        .toList();
  }

  /** Netty's differs by the version of Lettuce. */
  private static boolean tells(String line, ClientLibrary library) {
    String oldest = library.oldest().replaceFirst("(\\.0)+$", "");
    return line.startsWith("| ") && line.matches(".*[|,] " + oldest + "(\\.0)*(;| ).*");
  }
}
