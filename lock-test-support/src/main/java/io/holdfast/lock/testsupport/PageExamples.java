/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Takes blocks of code out of pages, and compiles Java. Paths begin in the directory of a module,
 * where its tests run.
 */
public final class PageExamples {

  /** The first page. */
  public static final Path README = Path.of("..", "README.md");

  private static final Path DOCS = Path.of("..", "docs");

  private PageExamples() {}

  /**
   * A page in docs.
   *
   * @param name such as {@code backends/redis.md}
   * @return its path
   */
  public static Path page(String name) {
    return DOCS.resolve(name);
  }

  /**
   * The README, and all pages in docs.
   *
   * @return their paths
   * @throws IOException if they cannot be listed
   */
  public static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(README));
    try (Stream<Path> files = Files.walk(DOCS)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  /**
   * The first block of code in a language.
   *
   * @param page where
   * @param language as the page names it
   * @return the code
   * @throws IOException if the page cannot be read
   */
  public static String block(Path page, String language) throws IOException {
    return block(page, "", language);
  }

  /**
   * The first block of code in a language after a text.
   *
   * @param page where
   * @param after the text
   * @param language as the page names it
   * @return the code
   * @throws IOException if the page cannot be read
   */
  public static String block(Path page, String after, String language) throws IOException {
    return blocks(page, after, language).get(0);
  }

  /**
   * All blocks of code in a language after a text. Fails if there is none.
   *
   * @param page where
   * @param after the text
   * @param language as the page names it
   * @return the code of each
   * @throws IOException if the page cannot be read
   */
  public static List<String> blocks(Path page, String after, String language) throws IOException {
    String text = Files.readString(page);
    int from = text.indexOf(after);
    check(from >= 0, page + " has no " + after);
    List<String> blocks = found(text.substring(from), language);
    check(!blocks.isEmpty(), page + " has no " + language + " after " + after);
    return blocks;
  }

  /**
   * All blocks of code in a language.
   *
   * @param page where
   * @param language as the page names it
   * @return the code of each; empty if there is none
   * @throws IOException if the page cannot be read
   */
  public static List<String> blocks(Path page, String language) throws IOException {
    return found(Files.readString(page), language);
  }

  private static List<String> found(String text, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(text)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /**
   * How many blocks begin in a language, however that is written.
   *
   * @param page where
   * @param language in any case
   * @return the number
   * @throws IOException if the page cannot be read
   */
  public static int fences(Path page, String language) throws IOException {
    return (int)
        Pattern.compile("(?im)^ *(```|~~~) *" + language + "\\b")
            .matcher(Files.readString(page))
            .results()
            .count();
  }

  /**
   * Compiles Java for the oldest JDK that is supported. Fails if javac does, which says why on
   * standard error.
   *
   * @param directory for sources and classes
   * @param code of each class, by its name
   * @param classPath that it needs
   * @throws IOException if the sources cannot be written
   */
  public static void compile(Path directory, Map<String, String> code, String classPath)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--release", "17", "-proc:none"));
    arguments.addAll(List.of("-cp", classPath, "-d", directory.toString()));
    for (Map.Entry<String, String> one : code.entrySet()) {
      Path source = directory.resolve(one.getKey() + ".java");
      arguments.add(Files.writeString(source, one.getValue()).toString());
    }
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    check(result == 0, "an example of a page does not compile");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
