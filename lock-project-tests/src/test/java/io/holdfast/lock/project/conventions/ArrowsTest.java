/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks which packages may depend on which: user code, {@code lock}, {@code engine}, {@code spi},
 * backends.
 */
class ArrowsTest {

  private static final Path API = Path.of("").toAbsolutePath().resolveSibling("lock-api");

  /**
   * Classes by which users enter a module. Each opens what is behind it, in whichever packages that
   * is, and belongs beside the types that it answers with. So it counts as above all packages, and
   * nothing behind it may use it.
   */
  private static final Set<String> ENTRY_POINTS =
      Set.of(
          "io.holdfast.lock.Locks",
          "io.holdfast.lock.limit.RateLimiters",
          "io.holdfast.lock.tck.Conformance",
          "io.holdfast.lock.mutants.FaultyBackends",
          "io.holdfast.lock.tck.LockConformanceTest",
          "io.holdfast.lock.tck.WriteLockTest",
          "io.holdfast.lock.mutants.MutantsTest");

  /** Counts a package as a slice, and each entry point as one of its own. */
  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          String outermost = type.getName().replaceFirst("\\$.*", "");
          return SliceIdentifier.of(
              ENTRY_POINTS.contains(outermost) ? outermost : type.getPackageName());
        }

        @Override
        public String getDescription() {
          return "packages and entry points";
        }
      };

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
        ? resideInAnyPackage(
            Modules.backendPackage(other) + ".client", Modules.backendPackage(other) + ".node")
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

  static List<Path> modules() {
    return Modules.withClasses();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void noPackagesDependOnEachOther(Path module) {
    slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(Modules.mainClasses(module));
  }

  @Test
  void theCoreKnowsNeitherScenariosNorRateLimits() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.holdfast.lock",
            "io.holdfast.lock.engine..",
            "io.holdfast.lock.spi..",
            "io.holdfast.lock.guard..",
            "io.holdfast.lock.text..")
        .and()
        .doNotHaveFullyQualifiedName("io.holdfast.lock.Locks")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.holdfast.lock.config..", "io.holdfast.lock.limit..")
        .check(Modules.mainClasses(API));
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
            "io.holdfast.lock.testsupport..",
            "io.holdfast.lock.cli..",
            "org.junit..")
        .check(Modules.mainClasses(Modules.libraries()));
  }
}
