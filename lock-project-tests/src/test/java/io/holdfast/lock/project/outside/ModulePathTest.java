/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * An application that is a module, and requires nothing but the API, works with each backend on the
 * module path, run as docs/versions.md says.
 */
class ModulePathTest {

  private static final List<SmokeProject> EACH =
      SmokeProject.BACKENDS.stream().map(module -> project(module, List.of(module))).toList();
  private static final SmokeProject ALL = project("all", SmokeProject.BACKENDS);

  @TempDir static Path dir;
  private static SmokeServers servers;
  private static SmokeProjects projects;

  private static SmokeProject project(String name, List<String> modules) {
    return new SmokeProject("module-" + name, List.of(), List.of(), modules);
  }

  @BeforeAll
  static void launch() throws Exception {
    projects =
        SmokeProjects.of(Stream.concat(EACH.stream(), Stream.of(ALL)).toList(), dir.resolve("b"));
    servers = SmokeServers.launch(dir);
  }

  @AfterAll
  static void close() throws IOException {
    servers.close();
    projects.close();
  }

  @Tag("other-jdk")
  @ParameterizedTest
  @FieldSource("EACH")
  void worksAlone(SmokeProject project) throws Exception {
    assertWorks(project, servers.settings(project.modules().get(0)));
  }

  @Test
  void worksTogether() throws Exception {
    assertWorks(ALL, servers.settings());
  }

  private static void assertWorks(SmokeProject project, List<Path> settings) throws Exception {
    assertFalse(settings.isEmpty());
    List<Path> classPath = new ArrayList<>();
    List<Path> modulePath = new ArrayList<>(List.of(projects.classes(project)));
    for (Path jar : projects.jars(project)) {
      (noModule(projects.place(jar)) ? classPath : modulePath).add(jar);
    }
    List<String> arguments = new ArrayList<>();
    if (!classPath.isEmpty()) {
      arguments.addAll(
          List.of(
              "--add-reads",
              "io.holdfast.lock.zookeeper=ALL-UNNAMED",
              "-cp",
              SmokeProjects.joined(classPath)));
    }
    arguments.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
    arguments.addAll(List.of("-p", SmokeProjects.joined(modulePath), "-m", "smoke/smoke.Smoke"));
    projects.assertWorks(project, Path.of(System.getProperty("java.home")), arguments, settings);
  }

  private static boolean noModule(Path place) {
    return place.startsWith(Path.of("org", "apache", "zookeeper"))
        || place.startsWith(Path.of("org", "apache", "curator"));
  }
}
