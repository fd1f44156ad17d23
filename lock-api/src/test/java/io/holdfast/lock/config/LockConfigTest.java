/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests where a configuration comes from, and what is refused before anybody asks for it. */
@Isolated("sets the locale and a property of the JVM")
class LockConfigTest {

  private static final String NAMED_FILE = "holdfast.config";

  @TempDir private Path dir;

  @Test
  void aPropertyGoesBeforeTheEnvironmentAndTheEnvironmentBeforeTheFile() throws IOException {
    Path file = dir.resolve("holdfast.properties");
    Files.writeString(
        file, "scenario.s.ttl=1s\nscenario.s.renewal=none\nscenario.s.retry-jitter=0\n");
    Properties properties = new Properties();
    properties.setProperty("holdfast.scenario.s.ttl", "3s");
    Map<String, String> environment =
        Map.of("HOLDFAST_SCENARIO_S_TTL", "2s", "HOLDFAST_SCENARIO_S_RENEWAL", "auto");
    String origins = LockConfig.load(Optional.of(file), environment, properties).toString();
    assertTrue(origins.contains("ttl=system property"), origins);
    assertTrue(origins.contains("renewal=environment variable"), origins);
    assertTrue(origins.contains("retry-jitter=" + file), origins);
  }

  /** Or an application with a mistyped path would start with other locks. */
  @Test
  void aFileThatIsNamedHasToExist() {
    Path missing = dir.resolve("mistyped.properties");
    withNamedFile(
        missing.toString(),
        () -> {
          assertEquals(Optional.of(missing), LockConfig.usualFile());
          String told = refusal(LockConfig::load);
          assertTrue(told.contains(missing.toString()), told);
        });
  }

  @Test
  void theUsualFileMayBeMissing() {
    withNamedFile(null, () -> assertEquals(Optional.empty(), LockConfig.usualFile()));
  }

  /** A scenario may be asked for days later, at night. */
  @Test
  void everyScenarioIsCheckedAtOnce() {
    String told =
        refusal(
            () ->
                LockConfig.of(
                    Map.of("backend.main.url", "memory:", "scenario.jobs.backend", "mian")));
    assertTrue(told.contains("'mian'") && told.contains("'main'"), told);
    told = refusal(() -> LockConfig.of(Map.of("scenario.jobs.ttl", "soon")));
    assertTrue(told.contains("'soon'"), told);
  }

  /** Also where the settings themselves come from nowhere but a map. */
  @Test
  void aVariableThatASettingNamesIsThatOfTheEnvironment() {
    String variable = System.getenv().keySet().iterator().next();
    String origin = "by way of " + variable;
    LockConfig ofMap = LockConfig.of(Map.of("backend.main.password-env", variable));
    LockConfig ofValues =
        LockConfig.ofValues(
            Map.of("backend.main.password-env", new Value(variable, "line 3", false)));
    for (LockConfig config : List.of(ofMap, ofValues)) {
      assertTrue(config.toString().contains(origin), config.toString());
    }
    LockConfig loaded =
        LockConfig.load(
                Optional.empty(),
                Map.of("HOLDFAST_BACKEND_MAIN_PASSWORD_ENV", "SECRET", "SECRET", "hunter-two"),
                new Properties())
            .with(Map.of("scenario.s.ttl", "4s"))
            .withOpener((backend, provider, settings, options) -> Optional.empty());
    assertTrue(loaded.toString().contains("by way of SECRET"), loaded.toString());
  }

  @Test
  void theNamesAreSortedAndCannotBeTakenAway() {
    LockConfig config =
        LockConfig.of(
            Map.of(
                "backend.b.url", "memory:",
                "backend.a.url", "memory:",
                "scenario.t.ttl", "7s",
                "scenario.s.ttl", "7s"));
    assertEquals(List.of("a", "b"), List.copyOf(config.backends()));
    assertEquals(List.of("s", "t"), List.copyOf(config.scenarios()));
    assertThrows(UnsupportedOperationException.class, () -> config.backends().clear());
    assertThrows(UnsupportedOperationException.class, () -> config.scenarios().clear());
  }

  /** There, the small letter of I is another than i. */
  @Test
  void aHostInTurkeyReadsTheSameNames() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr"));
    try {
      LockConfig config =
          LockConfig.load(
              Optional.empty(), Map.of("HOLDFAST_SCENARIO_INVOICES_TTL", "7s"), new Properties());
      assertEquals(Set.of("invoices"), config.scenarios());
      assertEquals(Optional.of(Preset.FINANCIAL), Preset.of("financial"));
    } finally {
      Locale.setDefault(before);
    }
  }

  /** Unlike others, of which the beginning is shown: it cannot hold a password. */
  @Test
  void nothingOfASecretAddressIsShown() {
    for (boolean secret : new boolean[] {false, true}) {
      LockConfig config =
          LockConfig.ofValues(
              Map.of("backend.main.url", new Value("hunter:two", "application.yml", secret)));
      String told = refusal(() -> config.scenario("cache"));
      assertEquals(!secret, told.contains("begins with 'hunter:'"), told);
      assertFalse(told.contains("two"), told);
    }
  }

  private static void withNamedFile(@Nullable String file, Runnable test) {
    @Nullable String before = System.getProperty(NAMED_FILE);
    set(file);
    try {
      test.run();
    } finally {
      set(before);
    }
  }

  private static void set(@Nullable String file) {
    if (file == null) {
      System.clearProperty(NAMED_FILE);
    } else {
      System.setProperty(NAMED_FILE, file);
    }
  }

  private static String refusal(Executable action) {
    return String.valueOf(assertThrows(LockConfigurationException.class, action).getMessage());
  }
}
