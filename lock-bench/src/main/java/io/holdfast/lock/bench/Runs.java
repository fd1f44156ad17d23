/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Notes which run the figures of each section of a backend are of, since a page may show those of
 * several. Kept in {@code runs.tsv} beside the results.
 */
final class Runs {

  private static final String FILE = "runs.tsv";

  /** The figures of one run. */
  private record Measured(String section, String backend, String server, Run run) {

    String tsv() {
      return String.join(
          "\t",
          section,
          backend,
          server,
          run.date(),
          run.commit(),
          run.terms(),
          run.machine(),
          run.libraries());
    }

    static Measured parse(String tsv) {
      String[] cells = tsv.split("\t", -1);
      return new Measured(
          cells[0], cells[1], cells[2], new Run(cells[3], cells[4], cells[5], cells[6], cells[7]));
    }
  }

  private final Path file;
  private final List<Measured> measured = new ArrayList<>();

  /** Of none yet. */
  Runs(Path directory) {
    this.file = directory.resolve(FILE);
  }

  /** Those that are noted in a directory; what was measured before runs were noted is of none. */
  static Runs read(Path directory) throws IOException {
    Runs runs = new Runs(directory);
    if (Files.exists(runs.file)) {
      Files.readAllLines(runs.file).stream().map(Measured::parse).forEach(runs.measured::add);
    }
    return runs;
  }

  /**
   * A section of a backend is measured now, and is not of another run any more.
   *
   * @param server what the backend runs on; empty if on nothing
   */
  void begin(String section, String backend, String server, Run run) throws IOException {
    measured.removeIf(one -> one.section.equals(section) && one.backend.equals(backend));
    measured.add(new Measured(section, backend, server, run));
    Files.write(file, measured.stream().map(Measured::tsv).toList());
  }

  /** All of them, in the order in which they were noted. */
  List<Run> all() {
    return measured.stream().map(Measured::run).distinct().toList();
  }

  /** The runs of a section, each with its backends. */
  Map<Run, List<String>> of(String section) {
    return measured.stream()
        .filter(one -> one.section.equals(section))
        .collect(
            Collectors.groupingBy(
                Measured::run,
                LinkedHashMap::new,
                Collectors.mapping(Measured::backend, Collectors.toList())));
  }

  /** Of all runs; empty if there are none. */
  String servers() {
    return measured.stream()
        .map(Measured::server)
        .filter(server -> !server.isEmpty())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
