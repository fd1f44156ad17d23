/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Applications of the smoke test, in one build. */
final class SmokeProjects implements AutoCloseable {

  private static final Path SOURCES =
      Path.of("src", "test", "outside", "frameworks").toAbsolutePath();
  private static final List<Path> SMOKE =
      List.of(Path.of("src", "module-info.java"), Path.of("src", "smoke", "Smoke.java"));

  private final OutsideBuild build;

  private SmokeProjects(OutsideBuild build) {
    this.build = build;
  }

  static SmokeProjects of(List<SmokeProject> projects, Path directory) throws Exception {
    OutsideBuild build = new OutsideBuild(directory);
    try {
      Process maven =
          build.maven("frameworks", write(projects, directory.resolve("sources")), "compile");
      try {
        build.assertEnds(maven, "frameworks", Duration.ofMinutes(10));
      } finally {
        maven.destroyForcibly();
      }
      return new SmokeProjects(build);
    } catch (Exception | AssertionError e) {
      build.close();
      throw e;
    }
  }

  static Path thisJava() {
    return Path.of(System.getProperty("java.home"));
  }

  /** This JDK, and the one that Maven runs on. */
  static List<Path> javas() {
    String mavens = System.getenv("JAVA_HOME");
    return Stream.of(thisJava(), mavens == null ? thisJava() : Path.of(mavens)).distinct().toList();
  }

  private static Path write(List<SmokeProject> projects, Path sources) throws IOException {
    for (Path file : SMOKE) {
      Path copy = sources.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(SOURCES.resolve(file), copy);
    }
    StringBuilder modules = new StringBuilder();
    String template = Files.readString(SOURCES.resolve("module.xml"));
    for (SmokeProject project : projects) {
      modules.append("    <module>").append(project.name()).append("</module>\n");
      Path directory = Files.createDirectories(sources.resolve(project.name()));
      Files.writeString(
          directory.resolve("pom.xml"),
          template
              .replace("@module@", project.name())
              .replace("@boms@", project.management())
              .replace("@modules@", project.dependencies()));
    }
    Files.writeString(
        sources.resolve("pom.xml"),
        Files.readString(SOURCES.resolve("pom.xml"))
            .replaceFirst(" *<!-- A module for each.*\n", modules.toString()));
    return sources;
  }

  /** The jars that an application runs with. */
  List<Path> jars(SmokeProject project) throws IOException {
    return Stream.of(Files.readString(target(project, "class-path")).split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** Its own classes. */
  Path classes(SmokeProject project) {
    return target(project, "classes");
  }

  /** The place of a jar in the repository, which begins with the group. */
  Path place(Path jar) {
    return build.repository().relativize(jar);
  }

  private Path target(SmokeProject project, String file) {
    return build.project("frameworks").resolve(project.name()).resolve("target").resolve(file);
  }

  /** Runs the smoke test on the class path, and all backends have to work. */
  void assertWorks(SmokeProject project, Path javaHome, List<Path> settings) throws Exception {
    List<Path> path = new ArrayList<>(jars(project));
    path.add(classes(project));
    assertWorks(project, javaHome, List.of("-cp", joined(path), "smoke.Smoke"), settings);
  }

  /** The same, with other arguments for Java. */
  void assertWorks(SmokeProject project, Path javaHome, List<String> arguments, List<Path> settings)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(arguments);
    settings.forEach(file -> command.add(file.toString()));
    String log = project.name() + "-" + javaHome.getFileName();
    Process smoke = build.start(log, build.project("frameworks"), command);
    try {
      String output = build.assertEnds(smoke, log, Duration.ofMinutes(3));
      for (Path file : settings) {
        String backend = file.getFileName().toString().replace(".properties", "");
        assertTrue(output.lines().anyMatch((backend + " ok")::equals), () -> log + ":\n" + output);
      }
      assertFalse(output.contains("Exception"), () -> log + ":\n" + output);
    } finally {
      smoke.destroyForcibly();
    }
  }

  static String joined(List<Path> path) {
    return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
  }

  @Override
  public void close() throws IOException {
    build.close();
  }
}
