/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.etcd.EtcdConfig.Endpoint;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests settings and addresses, and which servers are refused as too old. */
class EtcdConfigTest {

  private static EtcdConfig config(String... more) {
    Map<String, String> settings = new HashMap<>(Map.of("endpoints", "http://etcd1"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return EtcdConfig.of(new Settings("etcd", settings));
  }

  @Test
  void unsetSettingsAreAsTheProviderSays() {
    EtcdConfig config = config();
    assertEquals(List.of(new Endpoint(false, "etcd1", 2379)), config.endpoints());
    assertEquals(Duration.ofSeconds(10), config.connectTimeout());
    assertEquals(Duration.ofSeconds(2), config.locks().commandTimeout());
    assertEquals("/holdfast/lock/", config.locks().keys().base().toStringUtf8());
    assertEquals(Optional.empty(), config.credentials());
    assertEquals(Optional.empty(), config.tls());
  }

  @Test
  void endpointsAreReadOneByOne() {
    EtcdConfig config = config("endpoints", "https://a:1, https://[::1]:65535 ,https://192.0.2.1");
    assertEquals(
        List.of(
            new Endpoint(true, "a", 1),
            new Endpoint(true, "[::1]", 65_535),
            new Endpoint(true, "192.0.2.1", 2379)),
        config.endpoints());
    assertTrue(config.tls().isPresent());
    assertEquals(List.of(new Endpoint(false, "a", 1)), config("endpoints", "a:1").endpoints());
    for (String bad : List.of("a:0", "a:65536", "[::1", "::1", "http://", "a:1,,b:1", "a:1/x")) {
      LockConfigurationException told =
          assertThrows(LockConfigurationException.class, () -> config("endpoints", bad));
      assertTrue(told.toString().contains("'endpoints'"), told::toString);
    }
  }

  @Test
  void aUserHasAPasswordThatIsNotShown() {
    EtcdConfig config = config("username", "shop", "password", "a-secret");
    assertEquals("a-secret", config.credentials().orElseThrow().password());
    assertFalse(config.toString().contains("a-secret"), config::toString);
    assertThrows(LockConfigurationException.class, () -> config("password", "a-secret"));
  }

  /** As scenarios and the command line write it. */
  @Test
  void anAddressTellsWhetherThereIsTls() {
    EtcdLockProvider provider = new EtcdLockProvider();
    assertEquals(
        Optional.of(Map.of("endpoints", "http://a:1,http://b")),
        provider.settingsOf("etcd://a:1, b"));
    assertEquals(
        Optional.of(Map.of("endpoints", "https://a:1,https://b:2")),
        provider.settingsOf("etcds://a:1,b:2"));
    assertEquals(Optional.empty(), provider.settingsOf("redis://a:1"));
    assertEquals(Optional.empty(), provider.settingsOf("etcdx://a:1"));
  }

  /**
   * A version that the user may not ask for, or without a number, is no reason to refuse a server.
   */
  @Test
  void aServerThatIsTooOldIsRefused() {
    for (String old : List.of("3.3.27", "3.0.0", "3.3.0-rc.1")) {
      LockRejectedException told =
          assertThrows(LockRejectedException.class, () -> EtcdOpening.refuseIfTooOld(old));
      assertTrue(told.toString().contains("3.4 or newer"), told::toString);
    }
    for (String good : List.of("3.4.0", "3.5.21", "3.10.1", "4.0.0", "3.6.0-rc.1", "", "main")) {
      EtcdOpening.refuseIfTooOld(good);
    }
  }
}
