/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A setting that has to be there and was mistyped is found where it was written. */
class RequiredSettingTest {

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({
    "redis, uri, ulr",
    "redlock, uris, uri",
    "zookeeper, connect, conect",
    "etcd, endpoints, endpoint",
    "postgres-table, url, ulr"
  })
  void theMistypedKeyIsNamedWithItsLine(String provider, String right, String wrong)
      throws IOException {
    String told = refusal("# locks", "provider=" + provider, wrong + "=hunter-two");
    assertTrue(told.contains("needs the setting '" + right + "'"), told);
    assertTrue(told.contains("did you mistype it as '" + wrong + "' ("), told);
    assertTrue(told.contains("locks.properties, line 3)"), told);
    assertFalse(told.contains("hunter-two"), told);
  }

  @Test
  void aSettingSetInsteadIsNamedWithItsLine() throws IOException {
    String told = refusal("provider=redis", "host=localhost:6410");
    assertTrue(told.contains("needs the setting 'uri'"), told);
    assertTrue(told.contains("what is set is 'host' ("), told);
    assertTrue(told.contains("locks.properties, line 2)"), told);
  }

  @Test
  void anAddressWithoutItsBeginningHasItsLine() throws IOException {
    String told = refusal("provider=redis", "uri=localhost:6410");
    assertTrue(told.startsWith("Setting 'uri' ("), told);
    assertTrue(told.contains("locks.properties, line 2) does not begin with redis:// or"), told);
  }

  @Test
  void aFileOfScenariosIsKnownAsOne() throws IOException {
    String told = refusal("backend.main.url=redis://localhost", "scenario.cache.ttl=1s");
    assertTrue(told.contains("'provider' is missing"), told);
    assertTrue(told.contains("'backend.main.url' ("), told);
    assertTrue(told.contains("locks.properties, line 1)"), told);
    assertTrue(told.contains("Locks.forScenario"), told);
  }

  @Test
  void theProviderAsWell() throws IOException {
    String told = refusal("proivder=redis", "uri=redis://localhost");
    assertTrue(told.contains("'provider' is missing; did you mistype it as 'proivder' ("), told);
    assertTrue(told.contains("line 1)"), told);
  }

  @Test
  void anUnknownKeyHasItsLineToo() throws IOException {
    String told = refusal("provider=redis", "uri=redis://localhost:1", "comand-timeout=1s");
    assertTrue(told.contains("locks.properties, line 3"), told);
    assertTrue(told.contains("did you mean 'command-timeout'"), told);
  }

  @Test
  void nothingIsMadeUp() {
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () -> Locks.open("redis", Map.of("command-timeout", "1s")));
    assertFalse(String.valueOf(refused.getMessage()).contains("did you mean"), refused::toString);
  }

  @Test
  void aDirectoryIsNotAFileOfSettings() {
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> Locks.open(dir));
    assertEquals(
        dir.toAbsolutePath()
            + " is a directory; name the properties file with the lock configuration",
        refused.getMessage());
  }

  /** Not even its beginning: it may be a password that was put into the wrong file. */
  @Test
  void anAddressThatIsKeptInAFileIsNotShown() throws IOException {
    Path secret = Files.writeString(dir.resolve("address"), "hunter:two");
    for (String provider : List.of("", "etcd")) {
      Map<String, String> settings = new HashMap<>();
      settings.put("backend.main.url-file", secret.toString());
      if (!provider.isEmpty()) {
        settings.put("backend.main.provider", provider);
      }
      LockConfig config = LockConfig.of(settings);
      String told =
          String.valueOf(
              assertThrows(
                      LockConfigurationException.class,
                      () -> config.open("cache", ClientOptions.defaults()))
                  .getMessage());
      assertTrue(told.contains("has no beginning such as 'redis:' that could be shown"), told);
      assertTrue(told.contains(secret.toString()), told);
      assertFalse(told.contains("hunter"), told);
    }
  }

  private String refusal(String... lines) throws IOException {
    Path file = Files.write(dir.resolve("locks.properties"), List.of(lines));
    return String.valueOf(
        assertThrows(LockConfigurationException.class, () -> Locks.open(file)).getMessage());
  }
}
