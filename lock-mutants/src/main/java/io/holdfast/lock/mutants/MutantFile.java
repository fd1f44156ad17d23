/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import io.holdfast.lock.mutants.Mutant.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads mutants from text files, whose form {@link MutantsTest} tells. Lines that begin with {@code
 * #} are comments.
 */
public final class MutantFile {

  private static final String SUFFIX = ".mutants";
  private static final Pattern JUDGED =
      Pattern.compile("([A-Z]{2}-\\d+|[\\w.]+#\\w+(?:\\([\\w.$]+\\))?): (.+)");
  private static final Pattern FILE = Pattern.compile("[\\w-]+/\\S+\\.\\w+");

  private final List<Mutant> mutants = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private String fixture = "";
  private String name = "";
  private String judge = "";
  private String pitfall = "";
  private String file = "";
  private final List<Change> changes = new ArrayList<>();
  private final List<String> before = new ArrayList<>();
  private final List<String> after = new ArrayList<>();

  private MutantFile() {}

  /**
   * Reads all files of a directory.
   *
   * @param directory with files that end in {@code .mutants}
   * @return in the order of the files' names, and of the lines in them
   * @throws IOException if they cannot be read
   */
  public static List<Mutant> read(Path directory) throws IOException {
    return read(directory, name -> true);
  }

  /** Reads those files of a directory whose names, without the ending, are wanted. */
  static List<Mutant> read(Path directory, Predicate<String> wanted) throws IOException {
    MutantFile catalogue = new MutantFile();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path each : files.sorted().toList()) {
        String name = String.valueOf(each.getFileName());
        if (name.endsWith(SUFFIX) && wanted.test(name.replace(SUFFIX, ""))) {
          catalogue.readFile(each);
        }
      }
    }
    return List.copyOf(catalogue.mutants);
  }

  private void readFile(Path path) throws IOException {
    int number = 0;
    for (String line : Files.readAllLines(path)) {
      number++;
      if (!line.isBlank() && !line.startsWith("#") && !take(line)) {
        throw new IllegalArgumentException("%s:%d: %s".formatted(path, number, line));
      }
    }
    endMutant();
  }

  /** Whether the line has a meaning here. */
  private boolean take(String line) {
    Matcher judged = JUDGED.matcher(line);
    if (line.startsWith("fixture ")) {
      endMutant();
      fixture = line.substring("fixture ".length()).strip();
    } else if (line.startsWith("== ")) {
      endMutant();
      name = line.substring("== ".length()).strip();
      return names.add(name);
    } else if (line.startsWith("-")) {
      if (!after.isEmpty()) {
        endChange();
      }
      before.add(line.substring(1));
    } else if (line.startsWith("+")) {
      after.add(line.substring(1));
      return !before.isEmpty();
    } else if (judge.isEmpty() && judged.matches()) {
      judge = judged.group(1);
      pitfall = judged.group(2).strip();
    } else if (FILE.matcher(line).matches()) {
      endChange();
      file = line;
    } else {
      return false;
    }
    return true;
  }

  private void endChange() {
    if (!before.isEmpty()) {
      changes.add(new Change(file, String.join("\n", before), String.join("\n", after)));
    }
    before.clear();
    after.clear();
  }

  private void endMutant() {
    endChange();
    if (!name.isEmpty()) {
      if (judge.isEmpty() || fixture.isEmpty() || changes.isEmpty()) {
        throw new IllegalArgumentException(
            "'" + name + "' needs a fixture, a rule or a test, and a change");
      }
      mutants.add(new Mutant(name, judge, pitfall, fixture, List.copyOf(changes)));
    }
    changes.clear();
    name = "";
    judge = "";
    file = "";
  }
}
