/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.conventions;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may know whom: user code, {@code lock}, {@code engine}, {@code spi}, backends. */
class ArrowsTest {

  private static final Path API = Path.of("").toAbsolutePath().resolveSibling("lock-api");

  static List<Path> backends() {
    return Modules.backends();
  }

  @Test
  void findsTheModules() {
    List<String> names = backends().stream().map(Modules::name).toList();
    assertTrue(
        names.containsAll(
            List.of(
                "lock-memory",
                "lock-redis",
                "lock-redlock",
                "lock-zookeeper",
                "lock-etcd",
                "lock-postgres")),
        names.toString());
    assertTrue(Modules.libraries().contains(API));
  }

  @ParameterizedTest
  @MethodSource("backends")
  void aBackendKnowsNeitherTheEngineNorAnotherBackend(Path backend) {
    JavaClasses classes = Modules.mainClasses(backend);
    assertFalse(classes.isEmpty(), backend + " is not compiled");
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.holdfast.lock.engine..")
        .check(classes);
    for (Path other : backends()) {
      if (!other.equals(backend)) {
        noClasses()
            .should()
            .dependOnClassesThat(
                resideInAPackage(Modules.backendPackage(other) + "..")
                    .and(not(isBuiltOn(backend, other))))
            .check(classes);
      }
    }
  }

  /** Redlock is made of single servers, and sees what lock-redis exports to it alone. */
  private static DescribedPredicate<JavaClass> isBuiltOn(Path backend, Path other) {
    return Modules.name(backend).equals("lock-redlock") && Modules.name(other).equals("lock-redis")
        ? resideInAPackage(Modules.backendPackage(other) + ".node")
        : DescribedPredicate.alwaysFalse();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void aBackendStaysInItsPackage(Path backend) {
    noClasses()
        .should()
        .resideOutsideOfPackage(Modules.backendPackage(backend) + "..")
        .check(Modules.mainClasses(backend));
  }

  @Test
  void apiAndEngineKnowNoBackend() {
    for (Path backend : backends()) {
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage(Modules.backendPackage(backend) + "..")
          .check(Modules.mainClasses(API));
    }
  }

  @Test
  void theSpiKnowsNothingOfTheEngine() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.lock.spi..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.holdfast.lock.engine..")
        .check(Modules.mainClasses(API));
  }

  @Test
  void theApiNeedsNothingButSlf4jAndAnnotations() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages(
            "io.holdfast.lock..", "java..", "jdk.jfr..", "org.slf4j..", "org.jspecify..")
        .check(Modules.mainClasses(API));
  }

  @Test
  void noLibraryKnowsTheTools() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.lock.bench..",
            "io.holdfast.lock.tck..",
            "io.holdfast.lock.servers..",
            "io.holdfast.lock.cli..",
            "org.junit..")
        .check(Modules.mainClasses(Modules.libraries()));
  }
}
