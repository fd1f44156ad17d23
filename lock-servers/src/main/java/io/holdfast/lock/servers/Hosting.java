/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides where a server runs: a program of this machine, or a container. */
enum Hosting {
  LOCAL,
  DOCKER;

  /** System property, and in capitals with an underscore the environment variable, that decides. */
  static final String SETTING = "holdfast.servers";

  static Hosting choose(String program, BooleanSupplier installed, String howToInstall) {
    return choose(setting(), program, installed, Hosting::isDockerHere, howToInstall);
  }

  /** The class can only be loaded where Testcontainers is. */
  private static boolean isDockerHere() {
    try {
      return ContainerServer.isAvailable();
    } catch (NoClassDefFoundError withoutTestcontainers) {
      return false;
    }
  }

  static Hosting choose(
      String setting,
      String program,
      BooleanSupplier installed,
      BooleanSupplier docker,
      String howToInstall) {
    boolean local =
        switch (setting) {
          case "local" -> {
            if (!installed.getAsBoolean()) {
              throw new IllegalStateException(
                  "%s=local, but %s is not here. %s.".formatted(SETTING, program, howToInstall));
            }
            yield true;
          }
          case "docker" -> {
            if (!docker.getAsBoolean()) {
              throw new IllegalStateException(
                  ("%s=docker, but no Docker engine answers, or Testcontainers is not on the class"
                          + " path.")
                      .formatted(SETTING));
            }
            yield false;
          }
          case "auto" -> {
            if (installed.getAsBoolean()) {
              yield true;
            }
            if (!docker.getAsBoolean()) {
              throw new IllegalStateException(
                  "Neither %s nor a Docker engine is here. %s, or start Docker."
                      .formatted(program, howToInstall));
            }
            yield false;
          }
          default ->
              throw new IllegalArgumentException(
                  SETTING + " must be local, docker or auto, but is " + setting);
        };
    return local ? LOCAL : DOCKER;
  }

  /** Whether a choice finds a program or a Docker engine. */
  static boolean isPossible(Supplier<Hosting> choice) {
    try {
      var unused = choice.get();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /**
   * The version that a program of this machine reports.
   *
   * @param version whose first group is the version
   */
  static String version(String program, Pattern version) {
    try {
      Process process = new ProcessBuilder(program, "--version").start();
      Matcher said = version.matcher(new String(process.getInputStream().readAllBytes(), UTF_8));
      return said.find() ? said.group(1) : "(version unknown)";
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot run " + program, e);
    }
  }

  static Optional<Path> findProgram(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    for (String directory : path.split(":", -1)) {
      Path candidate = Path.of(directory, name);
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private static String setting() {
    String property = System.getProperty(SETTING);
    if (property == null) {
      property = System.getenv(SETTING.toUpperCase(Locale.ROOT).replace('.', '_'));
    }
    return property == null || property.isBlank() ? "auto" : property.trim();
  }
}
