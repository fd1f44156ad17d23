/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a setting is read, and the messages about bad ones. */
class SettingsTest {

  private static final String SECRET = "hunter-two";

  private static Settings settings(String key, Value value) {
    return new Settings("backend 'main'", Map.of(key, value), Set.of("namespace"));
  }

  private static Settings plain(String key, String text) {
    return settings(key, new Value(text, "line 3", false));
  }

  private static String refusal(Executable reading) {
    return String.valueOf(assertThrows(LockConfigurationException.class, reading).getMessage());
  }

  /** Such as a password that was put at the place of a time. */
  @Test
  void aSecretIsNotShownThoughItIsNotGood() {
    Settings settings = settings("command-timeout", new Value(SECRET, "line 3", true));
    String told = refusal(() -> settings.duration("command-timeout"));
    assertTrue(told.startsWith("Setting 'command-timeout' of backend 'main' is not shown"), told);
    assertTrue(told.endsWith("(line 3)"), told);
    assertFalse(told.contains(SECRET), told);
    assertFalse(settings.toString().contains(SECRET), settings.toString());
  }

  @Test
  void norIsAnAddressThatMayHaveAPassword() {
    Settings settings = plain("uri", "redis://u:" + SECRET + "@host:port");
    String told = refusal(() -> settings.number("uri", 1, 1, 9));
    assertTrue(told.contains("is not shown"), told);
    assertFalse(told.contains(SECRET), told);
  }

  /** Or a map of settings in a log would show its passwords. */
  @Test
  void noValueShowsItsText() {
    for (boolean secret : new boolean[] {false, true}) {
      assertEquals("line 3", new Value(SECRET, "line 3", secret).toString());
    }
  }

  @Test
  void aValueThatIsNotSecretIsShownWithItsPlace() {
    String told = refusal(() -> plain("command-timeout", "soon").duration("command-timeout"));
    assertTrue(told.contains("is 'soon', but must be a positive duration"), told);
    assertTrue(told.endsWith("(line 3)"), told);
  }

  @Test
  void boundsAreIncluded() {
    assertEquals(2, plain("database", "2").number("database", 5, 2, 9));
    assertEquals(9, plain("database", " 9 ").number("database", 5, 2, 9));
    assertEquals(5, plain("other", "1").number("database", 5, 2, 9));
    for (String bad : new String[] {"1", "10", "", "2.5", "many"}) {
      String told = refusal(() -> plain("database", bad).number("database", 5, 2, 9));
      assertTrue(told.contains("is '" + bad + "', but must be a whole number from 2 to 9"), told);
    }
  }

  @Test
  void aFlagIsTrueOrFalseAndNothingElse() {
    assertTrue(plain("create-schema", "true").flag("create-schema", false));
    assertFalse(plain("create-schema", " false").flag("create-schema", true));
    assertTrue(plain("other", "false").flag("create-schema", true));
    for (String bad : new String[] {"", "yes", "TRUE", "1"}) {
      assertTrue(
          refusal(() -> plain("create-schema", bad).flag("create-schema", true))
              .contains("but must be true or false"),
          bad);
    }
  }

  @Test
  void aRequiredSettingIsNotBlank() {
    assertEquals("a", plain("uri", "a").required("uri", "redis://localhost"));
    for (Settings missing : new Settings[] {plain("uri", " "), plain("namespace", "jobs")}) {
      String told = refusal(() -> missing.required("uri", "redis://localhost"));
      assertTrue(told.startsWith("Backend 'main' needs the setting 'uri'"), told);
    }
  }

  @Test
  void aNamespaceIsOfUpTo64Characters() {
    String longest = "Z9._-" + "x".repeat(59);
    for (String good : new String[] {"a", "0", longest}) {
      assertEquals(good, plain("namespace", good).namespace());
    }
    assertEquals("lock", plain("other", "a").namespace());
    for (String bad : new String[] {"", longest + "x", ".a", "a\n", "a/b", "\u00e4"}) {
      assertTrue(refusal(() -> plain("namespace", bad).namespace()).contains("1 to 64"), bad);
    }
  }

  @Test
  void aStoreIsReadWithItsPassword(@TempDir Path dir) throws IOException {
    Path file = Files.createFile(dir.resolve("trust.p12"));
    Settings settings =
        new Settings("redis", Map.of("tls-store", file.toString(), "tls-store-password", SECRET));
    StoreFile store = settings.storeFile("tls-store").orElseThrow();
    assertEquals(file, store.file());
    assertEquals(SECRET, store.password());
    assertFalse(store.toString().contains(SECRET), store.toString());
    settings.finish();
    assertEquals(
        "", plain("tls-store", file.toString()).storeFile("tls-store").orElseThrow().password());
    assertEquals(Optional.empty(), plain("other", "a").storeFile("tls-store"));
  }

  /** Or TLS would fail with the first connection, and say less. */
  @Test
  void aStoreThatIsMissingIsNamed(@TempDir Path dir) {
    String missing = dir.resolve("trust.p12").toString();
    String told = refusal(() -> plain("tls-store", missing).storeFile("tls-store"));
    assertTrue(told.contains("is '" + missing + "', but must be a file that can be read"), told);
  }

  /** As the name of the client, where the client has it from elsewhere. */
  @Test
  void aCommonSettingThatIsRefusedIsNotToldAsKnown() {
    Settings settings = new Settings("redis", Map.of("client-name", "a"));
    String told = refusal(settings::finish);
    assertEquals(
        "Provider 'redis' has no setting 'client-name'. It knows [namespace, provider]", told);
  }

  @Test
  void theOldNameOfASettingIsRefusedWithTheNewOne() {
    String told = refusal(() -> plain("host", "a").renamed("host", "uri"));
    assertTrue(told.contains("'host' of backend 'main' is called 'uri' now"), told);
    plain("uri", "a").renamed("host", "uri");
  }
}
