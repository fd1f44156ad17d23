/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about logging has every message that a library logs above DEBUG, and no other. */
class LoggingPageTest {

  private static final Path PAGE = Path.of("..", "docs", "logging.md");
  private static final Set<String> NOT_ON_THE_PAGE =
      Set.of("debug", "isDebugEnabled", "trace", "isTraceEnabled", "getName");

  /** A message is written where it is logged, in one literal or a sum of literals. */
  private static final Pattern CALL =
      Pattern.compile(
          "\\bLOG\\.(warn|info|error)\\(\\s*(\"(?:[^\"\\\\]|\\\\.|\"\\s*\\+\\s*\")*\")\\s*[,)]");

  private static final Pattern LOGGER =
      Pattern.compile(
          "package io\\.holdfast\\.lock\\.([\\w.]+);(?s:.*)"
              + " LOG = LoggerFactory\\.getLogger\\((\\w+)\\.class\\)");

  private static final Pattern SEAM = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern LAST_CELL = Pattern.compile("\\| [^|]+ \\|$");

  @Test
  void thePageHasWhatIsLogged() throws IOException {
    Set<String> logged = new TreeSet<>(logged());
    Set<String> listed = listed();
    assertTrue(logged.size() > 30, logged::toString);
    assertEquals("", lines(logged, listed), "logged, and not in docs/logging.md");
    assertEquals("", lines(listed, logged), "in docs/logging.md, and not logged");
  }

  /** So that none escapes by another name of the logger, or by a message that is made elsewhere. */
  @Test
  void theSourcesTellAllThatIsLogged() throws IOException {
    long calls =
        Modules.mainClasses(Modules.libraries()).stream()
            .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
            .filter(call -> call.getTargetOwner().getName().equals("org.slf4j.Logger"))
            .filter(call -> !NOT_ON_THE_PAGE.contains(call.getName()))
            .count();
    assertEquals(
        calls,
        logged().size(),
        "calls of loggers; each has to be LOG.warn, LOG.info or LOG.error with a literal: where the"
            + " level is chosen at run time, write one call and one row of the page for each");
  }

  private static String lines(Set<String> some, Set<String> others) {
    return some.stream().filter(row -> !others.contains(row)).collect(Collectors.joining("\n"));
  }

  /** The first three cells of each row. */
  private static Set<String> listed() throws IOException {
    try (Stream<String> lines = Files.lines(PAGE)) {
      return lines
          .filter(line -> line.startsWith("| `"))
          .map(line -> LAST_CELL.matcher(line).replaceFirst("|"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static List<String> logged() throws IOException {
    List<String> logged = new ArrayList<>();
    for (Path module : Modules.libraries()) {
      try (Stream<Path> files = Files.walk(module.resolve("src/main"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          String source = Files.readString(file);
          CALL.matcher(source).results().forEach(call -> logged.add(row(source, call)));
        }
      }
    }
    return logged;
  }

  private static String row(String source, MatchResult call) {
    Matcher logger = LOGGER.matcher(source);
    assertTrue(logger.find(), () -> "no logger for " + call.group());
    String literal = SEAM.matcher(call.group(2)).replaceAll("");
    String message = literal.substring(1, literal.length() - 1).translateEscapes();
    return "| `%s` | `%s.%s` | `%s` |"
        .formatted(
            call.group(1).toUpperCase(Locale.ROOT),
            logger.group(1),
            logger.group(2),
            message.replace("{}", "…"));
  }
}
