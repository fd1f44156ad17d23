/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Scenario;
import java.nio.file.Path;
import java.time.Duration;
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

/** Which backend a command is about: by its address, by a scenario, or by its name in a file. */
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
              + " configuration. What is written here, everybody sees in the list of processes:"
              + " passwords belong into a file.")
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
      description = "The kind of backend, where its address alone does not say it.")
  private @Nullable String provider;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the backend, such as namespace=jobs.")
  private Map<String, String> settings = new HashMap<>();

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
      config = config.with(Map.of("scenario." + name + ".backend", named()), ORIGIN);
    }
    if (ttl.isPresent()) {
      config =
          config.with(Map.of("scenario." + name + ".ttl", ttl.get().toMillis() + "ms"), ORIGIN);
    }
    Scenario decided = decide(config, name);
    if (!settings.isEmpty()) {
      config = config.with(keys(decided.backend(), settings), ORIGIN);
    }
    return new Target(config, decided);
  }

  /** Decides; what was written on the command line is named as it was written there. */
  private Scenario decide(LockConfig config, String name) {
    try {
      return config.scenario(name);
    } catch (LockConfigurationException e) {
      String option = backend == null ? "--provider" : "--backend";
      throw new LockConfigurationException(
          String.valueOf(e.getMessage())
              .replace("'backend." + UNNAMED + ".provider'", "--provider")
              .replace("ackend '" + UNNAMED + "' ({url=" + ORIGIN + "})", "ackend of " + option)
              .replace("ackend '" + UNNAMED + "'", "ackend of " + option),
          e);
    }
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
      List<String> known = knowing(backend);
      if (known.size() > 1) {
        throw wrong("--provider is missing: that address may mean one of " + known);
      }
    }
    return named();
  }

  private String only(Set<String> names) {
    if (names.isEmpty()) {
      throw wrong(
          "which backend? Give --backend URL, such as redis://localhost:6379, or --config FILE,"
              + " or --provider with --set; there are the providers "
              + Locks.providers());
    }
    if (names.size() > 1) {
      throw wrong("which backend? The configuration has " + names + ": give --backend NAME");
    }
    return names.iterator().next();
  }

  private static List<String> knowing(String url) {
    return Locks.providers().stream()
        .filter(name -> Locks.provider(name).settingsOf(url).isPresent())
        .toList();
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
