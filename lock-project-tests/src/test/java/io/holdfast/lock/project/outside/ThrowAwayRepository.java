/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A local repository of Maven with what this build has made, and with links to all that the
 * machine's own has: nothing of this build gets in there, and nothing old of it comes from there.
 */
final class ThrowAwayRepository implements AutoCloseable {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final String GROUP = "holdfast";
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>holdfast</artifactId>\\s*<version>(.*?)</version>");

  private final Path directory;
  private final String version;

  private ThrowAwayRepository(Path directory, String version) {
    this.directory = directory;
    this.version = version;
  }

  static ThrowAwayRepository create(Path directory, Path machine) throws IOException {
    Matcher found = VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
    if (!found.find()) {
      throw new AssertionError("The parent has no version");
    }
    link(machine, directory, "io");
    link(machine.resolve("io"), directory.resolve("io"), GROUP);
    return new ThrowAwayRepository(directory, found.group(1));
  }

  private static void link(Path from, Path to, String except) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> children = Files.list(from)) {
      for (Path child : children.toList()) {
        if (!child.getFileName().toString().equals(except)) {
          Files.createSymbolicLink(to.resolve(child.getFileName()), child);
        }
      }
    }
  }

  /** Takes the links away, so that nobody who cleans up has to wonder about them. */
  @Override
  public void close() throws IOException {
    for (Path place : List.of(directory, directory.resolve("io"))) {
      try (Stream<Path> children = Files.list(place)) {
        for (Path link : children.filter(Files::isSymbolicLink).toList()) {
          Files.delete(link);
        }
      }
    }
  }

  Path directory() {
    return directory;
  }

  String version() {
    return version;
  }

  /** As {@code mvn install} would. */
  void installPom(String module) throws IOException {
    Path pom = (module.equals(GROUP) ? ROOT : ROOT.resolve(module)).resolve("pom.xml");
    Files.copy(pom, file(module, ".pom"));
  }

  /** As {@code mvn install} would. Before the package phase there are classes and no jar yet. */
  void installJar(String module) throws IOException {
    installPom(module);
    Path built = built(module);
    if (Files.isDirectory(built)) {
      List<String> jar =
          List.of("--create", "--file", file(module, ".jar").toString(), "-C", built + "", ".");
      assertEquals(
          0,
          ToolProvider.findFirst("jar")
              .orElseThrow()
              .run(System.out, System.err, jar.toArray(String[]::new)));
    } else {
      Files.copy(built, file(module, ".jar"));
    }
  }

  /** The classes with which this test itself runs. */
  private static Path built(String module) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> entry.startsWith(ROOT.resolve(module).resolve("target")))
        .findFirst()
        .orElseThrow(() -> new AssertionError(module + " is not on the class path"));
  }

  private Path file(String module, String ending) throws IOException {
    Path place = directory.resolve("io").resolve(GROUP).resolve(module).resolve(version);
    return Files.createDirectories(place).resolve(module + "-" + version + ending);
  }
}
