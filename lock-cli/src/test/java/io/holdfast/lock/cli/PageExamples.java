/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Takes examples out of pages, compiles them, and runs them as a process of their own. */
final class PageExamples {

  static final Path README = Path.of("..", "README.md");

  private static final Path DOCS = Path.of("..", "docs");

  private PageExamples() {}

  /** A page in docs, such as {@code backends/redis.md}. */
  static Path page(String name) {
    return DOCS.resolve(name);
  }

  /** The first block of code of a page in a language. */
  static String block(Path page, String language) throws IOException {
    return block(page, "", language);
  }

  /** The first block of code in a language after a text. */
  static String block(Path page, String after, String language) throws IOException {
    return blocks(page, after, language).get(0);
  }

  /** All blocks of code in a language after a text, of which there has to be one. */
  static List<String> blocks(Path page, String after, String language) throws IOException {
    String text = Files.readString(page);
    int from = text.indexOf(after);
    assertTrue(from >= 0, () -> page + " has no " + after);
    List<String> blocks = blocks(text.substring(from), language);
    assertFalse(blocks.isEmpty(), () -> page + " has no " + language + " after " + after);
    return blocks;
  }

  /** All blocks of code of a page in a language. */
  static List<String> blocks(Path page, String language) throws IOException {
    return blocks(Files.readString(page), language);
  }

  private static List<String> blocks(String text, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(text)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** How many blocks begin in a language, however that is written. */
  static int fences(Path page, String language) throws IOException {
    return (int)
        Pattern.compile("(?im)^ *(```|~~~) *" + language + "\\b")
            .matcher(Files.readString(page))
            .results()
            .count();
  }

  /** The README, and all pages in docs. */
  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(README));
    try (Stream<Path> files = Files.walk(DOCS)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  /** Classes by their names. */
  static void compile(Path dir, Map<String, String> code, String classPath) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--release", "17", "-cp", classPath));
    arguments.addAll(List.of("-d", dir.toString()));
    for (Map.Entry<String, String> one : code.entrySet()) {
      Path source = dir.resolve(one.getKey() + ".java");
      arguments.add(Files.writeString(source, one.getValue()).toString());
    }
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, result, "an example of a page does not compile");
  }

  /** In a working directory with a file of settings; returns what it said until its end. */
  static String run(Path classes, String name, String settings, String classPath)
      throws IOException, InterruptedException {
    try (Started started = start(classes, name, settings, classPath)) {
      return started.awaitEnd();
    }
  }

  /** In a working directory with a file of settings. */
  static Started start(Path classes, String name, String settings, String classPath)
      throws IOException {
    Path work = Files.createTempDirectory(classes, "run");
    Files.writeString(work.resolve("holdfast.properties"), settings);
    Path output = work.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classes + File.pathSeparator + classPath,
                name)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Started(process, output);
  }

  /** An example that runs; it does not outlive this. */
  record Started(Process process, Path output) implements AutoCloseable {

    String said() {
      try {
        return Files.readString(output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String awaitEnd() throws InterruptedException {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the example does not end");
      return said();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
