/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.ClientLibrary;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oldest versions in docs/versions.md are those that are refused below, and they work. */
class OldestVersionsTest {

  private static final String DRIVER = "org.postgresql:postgresql";
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
          "com.zaxxer:HikariCP:6.0.0");

  private static final Map<String, String> TITLES =
      Map.of(
          "io.lettuce:lettuce-core",
          "Lettuce",
          "org.apache.curator:curator-framework",
          "Curator",
          "io.etcd:jetcd-grpc",
          "jetcd",
          DRIVER,
          "pgjdbc",
          "com.zaxxer:HikariCP",
          "HikariCP");

  @TempDir Path dir;

  /** All at once, on each JDK: as on the page, each backend does what a lock has to do. */
  @Test
  @Tag("other-jdk")
  void eachBackendWorksWithThem() throws Exception {
    Map<Path, SmokeProject> oldest = new LinkedHashMap<>();
    for (Path java : SmokeProjects.javas()) {
      oldest.put(java, oldest(feature(java)));
    }
    try (SmokeServers servers = SmokeServers.launch(dir);
        SmokeProjects projects =
            SmokeProjects.of(oldest.values().stream().distinct().toList(), dir.resolve("build"))) {
      for (Map.Entry<Path, SmokeProject> each : oldest.entrySet()) {
        String jars = SmokeProjects.joined(projects.jars(each.getValue()));
        // Netty's oldest differs by the version of Lettuce that this test itself runs with.
        assertTrue(jars.contains("netty-common-4.1.113.Final.jar"), jars);
        assertTrue(jars.contains("postgresql-" + driver(feature(each.getKey())) + ".jar"), jars);
        List<String> newer =
            libraries().stream()
                .filter(library -> !library.coordinates().equals("io.netty:netty-common"))
                .filter(library -> !library.coordinates().equals(DRIVER))
                .filter(library -> !jars.contains("-" + library.oldest()))
                .map(ClientLibrary::toString)
                .toList();
        assertEquals(List.of(), newer, jars);
        projects.assertWorks(each.getValue(), each.getKey(), servers.settings());
      }
    }
    assertEquals(
        List.of(driver(Runtime.version().feature())),
        libraries().stream()
            .filter(library -> library.coordinates().equals(DRIVER))
            .map(ClientLibrary::oldest)
            .toList());
  }

  private static SmokeProject oldest(int java) {
    List<String> libraries = new ArrayList<>(LIBRARIES);
    libraries.add(DRIVER + ":" + driver(java));
    return new SmokeProject("oldest-versions-" + java, BOMS, libraries, SmokeProject.BACKENDS);
  }

  /** The oldest version of PostgreSQL's driver for a Java. */
  private static String driver(int java) {
    return java >= 24 ? "42.7.6" : "42.2.29";
  }

  private static int feature(Path java) throws IOException {
    if (java.equals(SmokeProjects.thisJava())) {
      return Runtime.version().feature();
    }
    Properties release = new Properties();
    try (Reader file = Files.newBufferedReader(java.resolve("release"))) {
      release.load(file);
    }
    return Runtime.Version.parse(release.getProperty("JAVA_VERSION").replace("\"", "")).feature();
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

  @Test
  void theReadmeHasThoseThatAnApplicationChooses() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    for (ClientLibrary library : libraries()) {
      String title = TITLES.get(library.coordinates());
      if (title != null) {
        String oldest = Pattern.quote(library.oldest().replaceFirst("(\\.0)+$", ""));
        Pattern told = Pattern.compile(title + " [^,]*(?<![.\\d])" + oldest + "[ ,).]");
        assertTrue(told.matcher(readme).find(), told::pattern);
      }
    }
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
