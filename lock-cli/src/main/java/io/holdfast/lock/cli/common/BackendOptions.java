/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Scenario;
import io.holdfast.lock.text.Spelling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that choose a command's backend: by its address, by a scenario, or by its name in a
 * file.
 */
public final class BackendOptions {

  /** The name of a backend, and of its scenario, that no file names. */
  static final String UNNAMED = "command-line";

  private static final String ORIGIN = "on the command line";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--backend",
      paramLabel = "URL|NAME",
      description =
          "An address, such as redis://localhost:6379, or the name of a backend in the"
              + " configuration. The list of processes shows what is written here to everybody:"
              + " passwords belong in a file.")
  private @Nullable String backend;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description = "Take the backend and the terms of a scenario.")
  private @Nullable String scenario;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration. By default what HOLDFAST_CONFIG names, or ./holdfast.properties.")
  private @Nullable Path file;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "The kind of backend, where its address does not say it.")
  private @Nullable String provider;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the backend, such as namespace=jobs.")
  private List<String> settings = new ArrayList<>();

  /** For the command line. */
  public BackendOptions() {}

  /**
   * Decides. Connects to nothing.
   *
   * @param ttl goes before that of the scenario
   * @return where
   * @throws LockConfigurationException if the configuration is wrong
   * @throws ParameterException if it is not plain which backend is meant
   */
  public Target target(Optional<Duration> ttl) {
    Map<String, String> set = settings();
    LockConfig config = withBackend(base());
    String name = scenario;
    if (name == null) {
      name = UNNAMED;
      config =
          config.with(
              Map.of(
                  "scenario." + UNNAMED + ".preset",
                  "none",
                  "scenario." + UNNAMED + ".backend",
                  nameIn(config)),
              ORIGIN);
    } else if (backend != null) {
      config = config.with(Map.of("scenario." + name + ".backend", namedIn(config)), ORIGIN);
    }
    if (ttl.isPresent()) {
      config = config.with(Map.of("scenario." + name + ".ttl", typed(ttl.get())), ORIGIN);
    }
    Scenario decided = decide(config, name);
    if (!set.isEmpty()) {
      config = config.with(keys(decided.backend(), set), ORIGIN);
    }
    return new Target(config, decided);
  }

  /** Decides; what was written on the command line is named as it was written there. */
  private Scenario decide(LockConfig config, String name) {
    try {
      return config.scenario(name);
    } catch (LockConfigurationException e) {
      String message = CommandLineText.text(String.valueOf(e.getMessage()));
      throw new LockConfigurationException(
          backend == null ? message.replace("of --backend", "of --provider") : message, e);
    }
  }

  /** In whole units, as one types it. */
  private static String typed(Duration ttl) {
    return ttl.toMillisPart() == 0 ? ttl.toSeconds() + "s" : ttl.toMillis() + "ms";
  }

  private Map<String, String> settings() {
    Map<String, String> set = new HashMap<>();
    for (String setting : settings) {
      int end = setting.indexOf('=');
      if (end < 1) {
        throw wrong("--set takes KEY=VALUE, such as namespace=jobs");
      }
      String key = setting.substring(0, end);
      if (set.put(key, setting.substring(end + 1)) != null) {
        throw wrong("--set " + key + " is given twice; give it once");
      }
    }
    return set;
  }

  private LockConfig base() {
    if (file != null) {
      return LockConfig.load(file);
    }
    boolean complete = scenario == null && (isAddress() || (backend == null && provider != null));
    return complete ? LockConfig.of(Map.of()) : LockConfig.load();
  }

  private boolean isAddress() {
    return backend != null && backend.contains(":");
  }

  /** The name of the backend that the options name or describe. */
  private String named() {
    return backend == null || isAddress() ? UNNAMED : backend;
  }

  private LockConfig withBackend(LockConfig config) {
    Map<String, String> known = new HashMap<>();
    if (isAddress()) {
      if (provider == null
          && Addresses.knowing(Optional.ofNullable(backend).orElseThrow()).isEmpty()) {
        throw wrong(
            "--backend is not an address of any provider: addresses begin with "
                + Addresses.beginnings());
      }
      known.put("url", Optional.ofNullable(backend).orElseThrow());
    }
    if (provider != null) {
      if (scenario != null && backend == null) {
        throw wrong("--scenario says which backend, so --provider is for --backend");
      }
      known.put("provider", provider);
    }
    if (known.isEmpty()) {
      return config;
    }
    boolean ofFile = backend == null && !config.backends().isEmpty();
    return config.with(keys(ofFile ? only(config.backends()) : named(), known), ORIGIN);
  }

  private String nameIn(LockConfig config) {
    if (backend == null) {
      return only(config.backends());
    }
    if (isAddress() && provider == null) {
      List<String> known = Addresses.knowing(backend);
      if (known.size() > 1) {
        throw wrong("--provider is missing: that address may mean one of " + known);
      }
    }
    return namedIn(config);
  }

  /** Refuses a name that nobody gave to a backend. */
  private String namedIn(LockConfig config) {
    String name = named();
    if (config.backends().contains(name)) {
      return name;
    }
    if (Locks.providers().contains(name)) {
      throw wrong("'%s' is a kind of backend: %s".formatted(name, Addresses.optionsFor(name)));
    }
    throw wrong(
        "there is no backend '%s'%s %s"
            .formatted(name, Spelling.hint(name, config.backends()), found(config.backends())));
  }

  private String only(Set<String> names) {
    if (names.isEmpty()) {
      throw wrong(
          "Which backend? "
              + found(names)
              + ". Give --backend URL, such as redis://localhost:6379, or --config FILE,"
              + " or --provider with --set; there are the providers "
              + Locks.providers());
    }
    if (names.size() > 1) {
      throw wrong("Which backend? The configuration has " + names + ": give --backend NAME");
    }
    return names.iterator().next();
  }

  /** Which backends the configuration has, and where it is. */
  private String found(Set<String> names) {
    if (!names.isEmpty()) {
      return "The configuration has " + String.join(", ", names);
    }
    Optional<Path> read = file != null ? Optional.of(file) : LockConfig.usualFile();
    return read.map(path -> path + " does not name a backend")
        .orElse("There is no holdfast.properties here");
  }

  private static Map<String, String> keys(String name, Map<String, String> values) {
    Map<String, String> keys = new HashMap<>();
    values.forEach((key, value) -> keys.put("backend." + name + "." + key, value));
    return keys;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Optional.ofNullable(spec).orElseThrow().commandLine(), message);
  }
}
