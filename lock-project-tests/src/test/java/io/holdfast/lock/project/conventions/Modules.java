/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.holdfast.lock.spi.LockProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The modules of this build, as directories beside this one. */
final class Modules {

  private static final Set<String> TOOLS =
      Set.of(
          "lock-bench",
          "lock-bom",
          "lock-cli",
          "lock-demo",
          "lock-mutants",
          "lock-parent",
          "lock-project-tests",
          "lock-sample",
          "lock-servers",
          "lock-tck",
          "lock-tck-tests",
          "lock-test-support");

  private Modules() {}

  /** The jars that users put on their class paths. */
  static List<Path> libraries() {
    return modules().filter(module -> !TOOLS.contains(name(module))).toList();
  }

  /** All that have code. */
  static List<Path> withClasses() {
    return modules().filter(module -> Files.isDirectory(module.resolve("src/main/java"))).toList();
  }

  /** Libraries with a provider. */
  static List<Path> backends() {
    return libraries().stream().filter(module -> Files.exists(serviceFile(module))).toList();
  }

  static Path serviceFile(Path module) {
    return module.resolve("src/main/resources/META-INF/services/" + LockProvider.class.getName());
  }

  static String name(Path module) {
    return module.getFileName().toString();
  }

  /** The package in which all classes of a backend are. */
  static String backendPackage(Path module) {
    return "io.holdfast.lock." + name(module).substring("lock-".length());
  }

  static JavaClasses mainClasses(Path module) {
    return classes(List.of(module), "target/classes");
  }

  static JavaClasses mainClasses(List<Path> modules) {
    return classes(modules, "target/classes");
  }

  static JavaClasses testClasses(Path module) {
    return classes(List.of(module), "target/test-classes");
  }

  private static JavaClasses classes(List<Path> modules, String directory) {
    return new ClassFileImporter()
        .importPaths(
            modules.stream()
                .map(module -> module.resolve(directory))
                .filter(Files::exists)
                .toList());
  }

  private static Stream<Path> modules() {
    Path root = Path.of("").toAbsolutePath().getParent();
    try (Stream<Path> children = Files.list(root)) {
      return children
          .filter(child -> name(child).startsWith("lock-"))
          .filter(child -> Files.exists(child.resolve("pom.xml")))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
