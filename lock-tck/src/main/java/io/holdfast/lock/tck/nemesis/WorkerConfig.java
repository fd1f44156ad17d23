/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Capabilities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration with which a client process starts.
 *
 * @param clientProcess whose client it has, as one process after another
 * @param process its name in the history
 * @param seed of what its threads do
 * @param directory of the run
 * @param names of the locks
 * @param ttl what is asked for
 * @param longest for how long a lease may be valid that is not renewed any more
 * @param rest of a thread between two turns, as {@link Profile#rest}
 * @param fenced whether leases have tokens
 * @param queued whether waiters are served in the order of a queue at the server
 * @param sharing what names may be shared as
 * @param database of the fenced rows
 */
record WorkerConfig(
    String clientProcess,
    String process,
    long seed,
    Path directory,
    LockNames names,
    Duration ttl,
    Duration longest,
    Duration rest,
    boolean fenced,
    boolean queued,
    Capabilities.Sharing sharing,
    Optional<String> database) {

  private static final String OF_CLIENT = "client.";

  /** For another process, with what opens its client. */
  Map<String, String> toFacts(Map<String, String> settings) {
    Map<String, String> facts = new HashMap<>();
    facts.put("party", clientProcess);
    facts.put("process", process);
    facts.put("seed", Long.toString(seed));
    facts.put("directory", directory.toString());
    facts.put("mark", names.mark());
    facts.put("ttl", ttl.toString());
    facts.put("longest", longest.toString());
    facts.put("rest", rest.toString());
    facts.put("fenced", Boolean.toString(fenced));
    facts.put("queued", Boolean.toString(queued));
    facts.put("sharing", sharing.name());
    database.ifPresent(url -> facts.put("database", url));
    settings.forEach((key, value) -> facts.put(OF_CLIENT + key, value));
    return facts;
  }

  /** The same for another process. */
  WorkerConfig of(String otherProcess, long otherSeed) {
    return new WorkerConfig(
        clientProcess,
        otherProcess,
        otherSeed,
        directory,
        names,
        ttl,
        longest,
        rest,
        fenced,
        queued,
        sharing,
        database);
  }

  static WorkerConfig of(Map<String, String> arguments) {
    return new WorkerConfig(
        required(arguments, "party"),
        required(arguments, "process"),
        Long.parseLong(required(arguments, "seed")),
        Path.of(required(arguments, "directory")),
        new LockNames(required(arguments, "mark")),
        Duration.parse(required(arguments, "ttl")),
        Duration.parse(required(arguments, "longest")),
        Duration.parse(required(arguments, "rest")),
        Boolean.parseBoolean(required(arguments, "fenced")),
        Boolean.parseBoolean(required(arguments, "queued")),
        Capabilities.Sharing.valueOf(required(arguments, "sharing")),
        Optional.ofNullable(arguments.get("database")));
  }

  /** One that must be there. */
  static String required(Map<String, String> arguments, String name) {
    String value = arguments.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + "= is missing");
    }
    return value;
  }

  /** The settings with which the client is opened. */
  static Map<String, String> settings(Map<String, String> arguments) {
    Map<String, String> settings = new HashMap<>();
    arguments.forEach(
        (key, value) -> {
          if (key.startsWith(OF_CLIENT)) {
            settings.put(key.substring(OF_CLIENT.length()), value);
          }
        });
    return settings;
  }

  /** As a {@code main} gets it. */
  static Map<String, String> parse(String... arguments) {
    Map<String, String> parsed = new HashMap<>();
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      parsed.put(pair[0], pair[1]);
    }
    return parsed;
  }

  /** The resources that are read and written under the locks; to be closed by the caller. */
  List<Resource> openResources() {
    Path files = resources(directory);
    List<Resource> resources = new ArrayList<>();
    resources.add(new UnfencedFile(files.resolve("open")));
    if (fenced) {
      resources.add(new FencedFile(files.resolve("fenced")));
      database.map(FencedRow::new).ifPresent(resources::add);
    }
    return resources;
  }

  /** Where the files of the locks are; each kind has a directory there, named as above. */
  static Path resources(Path directory) {
    return directory.resolve("resources");
  }
}
