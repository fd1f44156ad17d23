/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Projects that are no part of this build, built by the same Maven in the same way, with what this
 * build has made.
 */
final class OutsideBuild implements AutoCloseable {

  static final List<String> MODULES =
      List.of(
          "lock-api",
          "lock-memory",
          "lock-worker",
          "lock-micrometer",
          "lock-redis",
          "lock-redlock",
          "lock-zookeeper",
          "lock-etcd",
          "lock-postgres",
          "lock-shedlock",
          "lock-spring-integration",
          "lock-spring",
          "lock-spring-boot4",
          "lock-spring-boot-starter",
          "lock-servers",
          "lock-tck",
          "lock-mutants");

  private final Path directory;
  private final ThrowAwayRepository repository;

  OutsideBuild(Path directory) throws IOException {
    this.directory = directory;
    this.repository =
        ThrowAwayRepository.create(directory.resolve("repository"), machineRepository());
    for (String pom : List.of("holdfast", "lock-parent", "lock-bom")) {
      repository.installPom(pom);
    }
    for (String module : MODULES) {
      repository.installJar(module);
    }
    // Not for users: tests of the starter need it, which are run outside too.
    repository.installJar("lock-test-support");
  }

  private static Path machineRepository() {
    String known = System.getProperty("outside.repository");
    return known == null
        ? Path.of(System.getProperty("user.home"), ".m2", "repository")
        : Path.of(known);
  }

  /** Where a project is built. */
  Path project(String name) {
    return directory.resolve(name);
  }

  /** Where the jars are. */
  Path repository() {
    return repository.directory();
  }

  /** Copies a project here, and starts Maven in it. */
  Process maven(String name, Path sources, String... more) throws IOException {
    copy(sources, project(name));
    List<String> command = new ArrayList<>();
    String home = System.getProperty("outside.maven");
    command.add(home == null ? "mvn" : Path.of(home, "bin", "mvn").toString());
    command.addAll(List.of("-B", "-q", "-Dmaven.repo.local=" + repository.directory()));
    command.add("-Dholdfast.version=" + repository.version());
    String settings = System.getProperty("outside.settings");
    if (settings != null && Files.exists(Path.of(URI.create(settings)))) {
      command.addAll(List.of("-s", Path.of(URI.create(settings)).toString()));
    }
    if ("offline: true".equals(System.getProperty("outside.offline"))) {
      command.add("-o");
    }
    command.addAll(List.of(more));
    return start(name, project(name), command);
  }

  Process start(String name, Path work, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log(name).toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .merge("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", (a, b) -> a + " " + b);
    return builder.start();
  }

  String assertEnds(Process process, String name, Duration limit) throws Exception {
    boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
    String output = Files.readString(log(name));
    assertTrue(ended, () -> name + " does not end:\n" + output);
    assertEquals(0, process.exitValue(), () -> name + " fails:\n" + output);
    return output;
  }

  private Path log(String name) {
    return directory.resolve(name + ".log");
  }

  /** Without what has been built there by hand. */
  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path place = from.relativize(file);
        if (!place.startsWith("target")) {
          Path copy = to.resolve(place.toString());
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    repository.close();
  }
}
