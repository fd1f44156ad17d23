/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.support.Batcher;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** House rules that a compiler does not check. */
class ConventionsTest {

  private static final JavaClasses LIBRARIES = Modules.mainClasses(Modules.libraries());
  private static final String CONFORMANCE_TEST = "io.holdfast.lock.tck.LockConformanceTest";
  private static final String NEMESIS_TEST = "io.holdfast.lock.tck.nemesis.NemesisTest";
  private static final Path TCK_TESTS =
      Path.of("").toAbsolutePath().resolveSibling("lock-tck-tests");

  private static final Set<String> OF_SPRING =
      Set.of("lock-spring", "lock-spring-boot4", "lock-spring-boot-starter");

  static List<Path> backends() {
    return Modules.backends();
  }

  @Test
  void nobodySleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(LIBRARIES);
    noClasses().should().callMethod(Thread.class, "sleep", long.class, int.class).check(LIBRARIES);
  }

  /** But for the hint whether the host was suspended, which compares it with another clock. */
  @Test
  void nobodyAsksTheWallClock() {
    JavaClasses others = LIBRARIES.that(not(assignableTo("io.holdfast.lock.HostTime")));
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(others);
    noClasses().should().callMethod(Instant.class, "now").check(others);
    noClasses().should().dependOnClassesThat(assignableTo(Clock.class)).check(others);
    noClasses().should().dependOnClassesThat(assignableTo(Date.class)).check(others);
  }

  /** But for what a call of {@link Batcher#together} holds back, which is over with the call. */
  @Test
  void noStaticFieldCanChange() {
    fields().that().areStatic().should().beFinal().check(LIBRARIES);
    noFields()
        .that()
        .areStatic()
        .and()
        .areNotDeclaredIn(Batcher.class)
        .should()
        .haveRawType(
            resideInAnyPackage("java.util.concurrent.atomic", "java.util.concurrent.locks")
                .or(nameMatching("java\\.util\\.concurrent\\..*(Map|Queue|Deque|Executor.*)"))
                .or(nameMatching("java\\.util\\.(Hash|Tree|Array|Linked|Enum).*"))
                .or(assignableTo(ThreadLocal.class)))
        .check(LIBRARIES);
  }

  @Test
  void everyProviderIsDeclaredTwice() throws IOException {
    Set<String> inFiles = new TreeSet<>();
    Set<String> inModules = new TreeSet<>();
    for (Path module : Modules.libraries()) {
      if (Files.exists(Modules.serviceFile(module))) {
        try (Stream<String> lines = Files.lines(Modules.serviceFile(module))) {
          lines.map(String::strip).filter(line -> !line.isEmpty()).forEach(inFiles::add);
        }
      }
      descriptor(module).stream()
          .flatMap(descriptor -> descriptor.provides().stream())
          .filter(provides -> provides.service().equals(LockProvider.class.getName()))
          .forEach(provides -> inModules.addAll(provides.providers()));
    }
    Set<String> written =
        LIBRARIES.stream()
            .filter(type -> type.isAssignableTo(LockProvider.class) && !type.isInterface())
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertFalse(written.isEmpty());
    assertEquals(written, inFiles, "META-INF/services");
    assertEquals(written, inModules, "module-info");
  }

  @ParameterizedTest
  @MethodSource("backends")
  void everyBackendHasAConformanceTest(Path backend) {
    assertHasTest(backend, CONFORMANCE_TEST);
  }

  @ParameterizedTest
  @MethodSource("backends")
  void everyBackendHasANemesisTest(Path backend) {
    assertHasTest(backend, NEMESIS_TEST);
  }

  private static void assertHasTest(Path backend, String parent) {
    String name = Modules.name(backend).substring("lock-".length());
    assertTrue(
        Stream.of(backend, TCK_TESTS)
            .map(Modules::testClasses)
            .flatMap(Collection::stream)
            .filter(test -> extendsFrom(test, parent))
            .anyMatch(test -> test.getSimpleName().toLowerCase(Locale.ROOT).contains(name)),
        "no subclass of " + parent + " for " + name);
  }

  private static boolean extendsFrom(JavaClass type, String parent) {
    return type.getAllRawSuperclasses().stream().anyMatch(above -> above.getName().equals(parent));
  }

  /** A module for Spring is an automatic module, as Spring itself is. */
  private static Optional<ModuleDescriptor> descriptor(Path module) throws IOException {
    Path file = module.resolve("target/classes/module-info.class");
    if (OF_SPRING.contains(Modules.name(module))) {
      assertFalse(Files.exists(file), module::toString);
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(ModuleDescriptor.read(in));
    }
  }
}
