/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a window, and what a page looks like in it. */
record Browser(Path program) {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int PATIENCE_SECONDS = 90;

  /**
   * The observations of the browser.
   *
   * @param facts by what was looked at and the width in pixels, such as {@code overflow 400}
   * @param console what was written there
   */
  record Seen(Map<String, String> facts, List<String> console) {}

  static Optional<Browser> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(place -> NAMES.stream().map(name -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Browser::new);
  }

  /** Opens a page, narrow and wide. */
  Seen look(Path directory, String page, boolean dark) throws IOException, InterruptedException {
    Path probe = directory.resolve("probe.html");
    Files.writeString(probe, resource("probe.html").replace("/*PAGE*/", script(page)));
    Path dom = directory.resolve("dom");
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + directory.resolve("profile"),
                "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
                "--window-size=1500,1000",
                "--enable-logging=stderr",
                "--virtual-time-budget=10000",
                "--dump-dom",
                probe.toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the browser does not end: " + Files.readString(errors));
      }
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(dom);
    if (!text.contains("looked")) {
      throw new AssertionError("the page was not looked at: " + Files.readString(errors) + text);
    }
    Map<String, String> facts = new TreeMap<>();
    for (String line : text.substring(text.indexOf("overflow ")).lines().toList()) {
      String[] words = line.split(" ", 3);
      if (words.length == 3) {
        facts.put(words[0] + " " + words[1], words[2]);
      }
    }
    try (Stream<String> lines = Files.lines(errors)) {
      return new Seen(facts, lines.filter(line -> line.contains("CONSOLE")).toList());
    }
  }

  /** A text of JavaScript, which ends no script. */
  private static String script(String text) {
    return '"'
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("<", "\\u003c")
        + '"';
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Browser.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
