/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machine and the software with which it was measured. */
final class Machine {

  private static final List<String> LIBRARIES =
      List.of(
          "lettuce-core",
          "redisson",
          "spring-integration-core",
          "shedlock-core",
          "curator-recipes",
          "zookeeper",
          "jetcd-core",
          "grpc-core",
          "netty-common",
          "postgresql",
          "HikariCP");

  private Machine() {}

  static String describe() {
    return "%d processors (%s), %s %s, JDK %s (%s), load average at the start %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            processor(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.version"),
            System.getProperty("java.vm.name"),
            String.format(
                Locale.ROOT,
                "%.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
  }

  /** By the names of the jars. */
  static String libraries() {
    List<String> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(jar -> Path.of(jar).getFileName().toString())
            .toList();
    return LIBRARIES.stream()
        .flatMap(library -> jars.stream().filter(jar -> jar.matches(library + "-\\d.*\\.jar")))
        .map(jar -> jar.substring(0, jar.length() - ".jar".length()))
        .collect(Collectors.joining(", "));
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(() -> System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
