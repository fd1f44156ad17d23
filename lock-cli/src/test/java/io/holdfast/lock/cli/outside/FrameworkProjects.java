/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.outside;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two projects for each framework, with our bill of materials and without it, in one build. Their
 * one class is the smoke test.
 */
final class FrameworkProjects implements AutoCloseable {

  private static final Path SOURCES =
      Path.of("src", "test", "outside", "frameworks").toAbsolutePath();
  private static final List<String> MODULES =
      List.of("lock-redis", "lock-redlock", "lock-zookeeper", "lock-etcd", "lock-postgres");

  private final OutsideBuild build;

  private FrameworkProjects(OutsideBuild build) {
    this.build = build;
  }

  static FrameworkProjects of(List<Framework> frameworks, Path directory) throws Exception {
    OutsideBuild build = new OutsideBuild(directory);
    try {
      Path sources = write(frameworks, directory.resolve("sources"));
      Process maven = build.maven("frameworks", sources, "compile");
      try {
        build.assertEnds(maven, "frameworks", Duration.ofMinutes(10));
      } finally {
        maven.destroyForcibly();
      }
      return new FrameworkProjects(build);
    } catch (Exception | AssertionError e) {
      build.close();
      throw e;
    }
  }

  private static Path write(List<Framework> frameworks, Path sources) throws IOException {
    Files.createDirectories(sources.resolve("src"));
    Files.copy(
        SOURCES.resolve("src").resolve("Smoke.java"), sources.resolve("src").resolve("Smoke.java"));
    StringBuilder modules = new StringBuilder();
    String template = Files.readString(SOURCES.resolve("module.xml"));
    for (Framework framework : frameworks) {
      for (boolean withOurBom : new boolean[] {false, true}) {
        String module = framework.module(withOurBom);
        modules.append("    <module>").append(module).append("</module>\n");
        Files.createDirectories(sources.resolve(module));
        Files.writeString(
            sources.resolve(module).resolve("pom.xml"),
            template
                .replace("@module@", module)
                .replace("@boms@", boms(framework, withOurBom))
                .replace("@modules@", dependencies(withOurBom)));
      }
    }
    Files.writeString(
        sources.resolve("pom.xml"),
        Files.readString(SOURCES.resolve("pom.xml"))
            .replaceFirst(" *<!-- A module for each.*\n", modules.toString()));
    return sources;
  }

  /** Ours is the first: what it managed would win. */
  private static String boms(Framework framework, boolean withOurBom) {
    String theirs =
        framework.managed().stream()
            .map(coordinates -> dependency(coordinates, ""))
            .collect(Collectors.joining("", "", bom(framework.bom())));
    return withOurBom ? bom("io.holdfast:lock-bom:${holdfast.version}") + theirs : theirs;
  }

  private static String bom(String coordinates) {
    return dependency(coordinates, "<type>pom</type><scope>import</scope>");
  }

  private static String dependencies(boolean withOurBom) {
    return MODULES.stream()
        .map(
            module ->
                dependency(
                    "io.holdfast:" + module + (withOurBom ? "" : ":${holdfast.version}"), ""))
        .collect(Collectors.joining());
  }

  private static String dependency(String coordinates, String more) {
    String[] parts = coordinates.split(":");
    String version = parts.length == 3 ? "<version>" + parts[2] + "</version>" : "";
    return "    <dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s%s</dependency>\n"
        .formatted(parts[0], parts[1], version, more);
  }

  /** The jars of a project, as their places in the repository. */
  List<Path> classPath(Framework framework, boolean withOurBom) throws IOException {
    return Stream.of(classPathText(framework.module(withOurBom)).split(File.pathSeparator))
        .map(jar -> build.repository().relativize(Path.of(jar)))
        .toList();
  }

  private String classPathText(String module) throws IOException {
    return Files.readString(target(module).resolve("class-path"));
  }

  private Path target(String module) {
    return build.project("frameworks").resolve(module).resolve("target");
  }

  /** Runs the smoke test and answers what it printed. */
  String smoke(Framework framework, Path javaHome, List<Path> settings) throws Exception {
    String module = framework.module(false);
    List<String> command =
        Stream.concat(
                Stream.of(
                    javaHome.resolve("bin").resolve("java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    target(module).resolve("classes") + File.pathSeparator + classPathText(module),
                    "Smoke"),
                settings.stream().map(Path::toString))
            .toList();
    String log = module + "-" + javaHome.getFileName();
    Process smoke = build.start(log, build.project("frameworks"), command);
    try {
      return build.assertEnds(smoke, log, Duration.ofMinutes(3));
    } finally {
      smoke.destroyForcibly();
    }
  }

  @Override
  public void close() throws IOException {
    build.close();
  }
}
