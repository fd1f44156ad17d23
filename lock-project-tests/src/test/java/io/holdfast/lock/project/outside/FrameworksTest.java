/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holdfast works with the client libraries that an application's framework chooses: on real
 * servers, on every backend, a lock is granted, refused to others, renewed, handed over with a
 * greater token, and lost.
 */
class FrameworksTest {

  private static final List<Framework> ALL =
      List.of(
          new Framework(
              "Spring Boot 3.5.16", "org.springframework.boot:spring-boot-dependencies:3.5.16"),
          new Framework(
              "Spring Boot 4.0.9", "org.springframework.boot:spring-boot-dependencies:4.0.9"),
          new Framework(
              "Spring Boot 4.1.2", "org.springframework.boot:spring-boot-dependencies:4.1.2"),
          new Framework(
              "Quarkus 3.40.1",
              "io.quarkus.platform:quarkus-bom:3.40.1",
              List.of("io.lettuce:lettuce-core:6.8.2.RELEASE")),
          new Framework("Micronaut 4.10.17", "io.micronaut.platform:micronaut-platform:4.10.17"),
          new Framework("Micronaut 5.0.2", "io.micronaut.platform:micronaut-platform:5.0.2"));

  private static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("Lettuce", "io/lettuce/lettuce-core");
    COLUMNS.put("Netty", "io/netty/netty-handler");
    COLUMNS.put("Curator", "org/apache/curator/curator-framework");
    COLUMNS.put("ZooKeeper", "org/apache/zookeeper/zookeeper");
    COLUMNS.put("jetcd", "io/etcd/jetcd-grpc");
    COLUMNS.put("gRPC", "io/grpc/grpc-core");
    COLUMNS.put("Protobuf", "com/google/protobuf/protobuf-java");
    COLUMNS.put("pgjdbc", "org/postgresql/postgresql");
    COLUMNS.put("HikariCP", "com/zaxxer/HikariCP");
  }

  @TempDir Path dir;

  /** The oldest of them. */
  @Test
  void worksWithTheLibrariesOfOneFramework() throws Exception {
    tryOut(ALL.subList(0, 1), List.of(SmokeProjects.thisJava()));
  }

  /** On this JDK, and on the one that Maven runs on. */
  @Test
  @Tag("other-jdk")
  void worksWithTheLibrariesOfEachFramework() throws Exception {
    tryOut(ALL, SmokeProjects.javas());
  }

  private void tryOut(List<Framework> frameworks, List<Path> javas) throws Exception {
    List<SmokeProject> all =
        frameworks.stream().flatMap(f -> Stream.of(f.project(), f.projectWithOurBom())).toList();
    try (SmokeServers servers = SmokeServers.launch(dir);
        SmokeProjects projects = SmokeProjects.of(all, dir.resolve("build"))) {
      List<String> table = new ArrayList<>();
      for (Framework framework : frameworks) {
        List<Path> jars = projects.jars(framework.project());
        assertEquals(
            new TreeSet<>(jars),
            new TreeSet<>(projects.jars(framework.projectWithOurBom())),
            () -> framework + ": our bill of materials changes what is on the class path");
        table.add(row(framework, jars.stream().map(projects::place).toList()));
        for (Path java : javas) {
          projects.assertWorks(framework.project(), java, servers.settings());
        }
      }
      List<String> page = Files.readAllLines(Path.of("..", "docs", "versions.md"));
      assertTrue(
          page.containsAll(table),
          () -> "docs/versions.md should have these lines:\n" + String.join("\n", table));
    }
  }

  private static String row(Framework framework, List<Path> jars) {
    return COLUMNS.values().stream()
        .map(library -> version(jars, library))
        .collect(Collectors.joining(" | ", "| " + framework + " | ", " |"));
  }

  private static String version(List<Path> jars, String library) {
    return jars.stream()
        .map(Path::getParent)
        .filter(jar -> jar.getParent().equals(Path.of(library)))
        .map(jar -> jar.getFileName().toString())
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
