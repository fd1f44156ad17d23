/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.cli.common.ExitCodes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher {@code ./holdfast}, in a copy of the project's directory. Its build is the build of
 * these tests: its Maven is a script that notes that it was called.
 */
class LauncherTest {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path dir;
  private Path root;
  private Path launcher;
  private Path built;

  @BeforeEach
  void copy() throws IOException {
    assumeTrue(File.separatorChar == '/', "the launcher is a script for bash");
    root = dir.resolve("a place with blanks");
    launcher = root.resolve("holdfast");
    built = root.resolve("built");
    Files.createDirectories(root.resolve(".ci"));
    Files.createDirectories(root.resolve("lock-cli/src/main"));
    Files.createDirectories(root.resolve("lock-cli/target"));
    Files.createDirectories(root.resolve("lock-demo/target"));
    for (String file : List.of("holdfast", ".ci/lib.sh", "pom.xml", "lock-cli/pom.xml")) {
      Files.copy(PROJECT.resolve(file), root.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(root.resolve("lock-cli/src/main/Some.java"), "class Some {}");
    Path jar = root.resolve("lock-cli/target/lock-cli-0.jar");
    Path classPath = root.resolve("lock-cli/target/class-path.new");
    Path demoClassPath = root.resolve("lock-demo/target/class-path.new");
    program(
        "mvn",
        "echo built >>'" + built + "'",
        ": >'" + jar + "'",
        "printf %s \"$CLASSES\" >'" + classPath + "'",
        "printf %s \"$CLASSES:servers.jar\" >'" + demoClassPath + "'");
  }

  @Test
  void itBuildsOnceAndAgainWhereSourcesAreNewer() throws Exception {
    leaveNothingToPrepare();
    assertStarts(root, launcher.toString());
    assertEquals(1, builds());
    assertStarts(root, "./holdfast");
    assertEquals(1, builds());
    Path source = root.resolve("lock-cli/src/main/Some.java");
    Files.setLastModifiedTime(
        source,
        FileTime.from(
            Files.getLastModifiedTime(root.resolve("lock-cli/target/class-path"))
                .toInstant()
                .plus(Duration.ofSeconds(1))));
    assertStarts(root, launcher.toString());
    assertEquals(2, builds());
  }

  @Test
  void librariesOfTheDemonstrationAreOnAClassPathOfTheirOwn() throws Exception {
    leaveNothingToPrepare();
    assertStarts(root, launcher.toString());
    assertEquals(
        List.of("servers.jar"),
        Files.readAllLines(root.resolve("lock-cli/target/demo-class-path")));
    assertFalse(
        Files.readString(root.resolve("lock-cli/target/class-path")).contains("servers.jar"));
    String pom = Files.readString(PROJECT.resolve("lock-cli/pom.xml"));
    for (String library : List.of("curator-test", "testcontainers")) {
      assertTrue(
          pom.matches("(?s).*<artifactId>" + library + "</artifactId>\\s*<scope>test</scope>.*"),
          library);
    }
  }

  @Test
  void itIsFoundFromElsewhereAndThroughLinks() throws Exception {
    leaveNothingToPrepare();
    Path elsewhere = Files.createDirectories(dir.resolve("else where"));
    assertStarts(elsewhere, launcher.toString());
    Path link = Files.createSymbolicLink(elsewhere.resolve("hf"), launcher);
    assertStarts(elsewhere, "./hf");
    Path second = Files.createSymbolicLink(dir.resolve("link"), Path.of("else where", "hf"));
    assertStarts(PROJECT, second.toString());
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(1, builds());
  }

  @Test
  void argumentsAndExitCodesGoThrough() throws Exception {
    assertEquals(ExitCodes.USAGE, run(root, "./holdfast", "who").code);
    FileTime prepared = Files.getLastModifiedTime(archive());
    assertEquals(
        ExitCodes.NO,
        run(root, "./holdfast", "who", "a name  with blanks", "--backend=memory:").code);
    Told told = run(root, "./holdfast", "who", "a name  with blanks", "--backend=memory:");
    assertTrue(told.out.contains("'a name  with blanks' is free"), told.out);
    assertEquals(
        7,
        run(root, "./holdfast", "run", "--name=x", "--backend=memory:", "--", "sh", "-c", "exit 7")
            .code);
    assertEquals(prepared, Files.getLastModifiedTime(archive()), "prepared again");
  }

  @Test
  void aFailedBuildIsSaidAndNothingIsStarted() throws Exception {
    program("mvn", "echo this is why", "exit 1");
    Told told = run(root, "./holdfast", "--version");
    assertEquals(1, told.code);
    assertTrue(told.out.contains("this is why") && told.out.contains("build failed"), told.out);
    assertFalse(told.out.contains("holdfast 0"), told.out);
  }

  /** As where a JVM cannot have an archive of classes: the file for it is there, and is empty. */
  private void leaveNothingToPrepare() throws IOException {
    Path archive =
        root.resolve("lock-cli/target/classes-" + System.getProperty("java.version") + ".jsa");
    Files.createFile(archive);
    Files.setLastModifiedTime(archive, FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
  }

  /** An archive of classes is made at the first start, and used by the others. */
  private Path archive() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("lock-cli/target"))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).findFirst().orElseThrow();
    }
  }

  private void assertStarts(Path from, String command) throws Exception {
    Told told = run(from, command, "--version");
    assertEquals(0, told.code, told.out);
    assertTrue(told.out.contains("holdfast 0"), told.out);
  }

  private int builds() throws IOException {
    return Files.readAllLines(built).size();
  }

  private void program(String name, String... lines) throws IOException {
    Path program = Files.createDirectories(dir.resolve("bin")).resolve(name);
    List<String> script = new ArrayList<>(List.of("#!/usr/bin/env bash"));
    script.addAll(List.of(lines));
    Files.write(program, script);
    assertTrue(program.toFile().setExecutable(true));
  }

  private record Told(int code, String out) {}

  private Told run(Path from, String... command) throws Exception {
    Path out = Files.createTempFile(dir, "out", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(from.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .redirectInput(new File("/dev/null"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("CLASSES", System.getProperty("java.class.path"));
    builder.environment().merge("PATH", "", (path, none) -> dir.resolve("bin") + ":" + path);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(3, TimeUnit.MINUTES));
      return new Told(process.exitValue(), Files.readString(out));
    } finally {
      process.destroyForcibly();
    }
  }
}
