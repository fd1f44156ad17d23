/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of the modules beside each other in one directory. */
final class Sources {

  private static final List<Path> ROOTS =
      List.of(Path.of("src", "main", "java"), Path.of("src", "main", "resources"));

  private final Path modules;

  Sources(Path modules) {
    this.modules = modules;
  }

  /** The changed files, by their paths below their roots. */
  Map<Path, String> changed(Mutant mutant) throws IOException {
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Mutant.Change change : mutant.changes()) {
      Path root = root(change.file());
      Path file = root.resolve(find(root, change.file()));
      Path relative = root.relativize(file);
      String text = changed.containsKey(relative) ? changed.get(relative) : Files.readString(file);
      changed.put(relative, replaced(text, change));
    }
    return changed;
  }

  private static String replaced(String text, Mutant.Change change) {
    Matcher matcher = pattern(change.before()).matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException(change.file() + " does not have " + change.before());
    }
    int start = matcher.start();
    int end = matcher.end();
    if (matcher.find()) {
      throw new IllegalArgumentException(change.file() + " has more than once " + change.before());
    }
    return text.substring(0, start) + change.after() + text.substring(end);
  }

  /** A formatter may break lines elsewhere. */
  private static Pattern pattern(String before) {
    return Pattern.compile(
        Arrays.stream(before.strip().split("\\s+", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("\\s+")));
  }

  private Path root(String file) {
    Path module = modules.resolve(file.substring(0, file.indexOf('/')));
    return module.resolve(file.endsWith(".java") ? ROOTS.get(0) : ROOTS.get(1));
  }

  private static Path find(Path root, String file) throws IOException {
    Path wanted = Path.of(file.substring(file.indexOf('/') + 1));
    try (Stream<Path> files =
        Files.find(root, Integer.MAX_VALUE, (path, attributes) -> path.endsWith(wanted))) {
      List<Path> found = files.toList();
      if (found.size() != 1) {
        throw new IllegalArgumentException("'" + file + "' could be any of " + found);
      }
      return root.relativize(found.get(0));
    }
  }
}
