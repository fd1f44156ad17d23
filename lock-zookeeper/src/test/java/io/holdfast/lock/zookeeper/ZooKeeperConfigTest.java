/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** Tests settings, and which of them are refused. */
class ZooKeeperConfigTest {

  private static ZooKeeperConfig config(String... more) {
    Map<String, String> settings = new HashMap<>(Map.of("connect", "zk1:2181"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return ZooKeeperConfig.of(new Settings("zookeeper", settings));
  }

  private static void refused(String key, String value) {
    LockConfigurationException told =
        assertThrows(LockConfigurationException.class, () -> config(key, value));
    assertTrue(told.toString().contains("'" + key + "'"), told::toString);
  }

  @Test
  void unsetSettingsAreAsTheProviderSays() {
    ZooKeeperConfig config = config();
    assertEquals(Duration.ofSeconds(10), config.sessionTimeout());
    assertEquals(Duration.ofSeconds(10), config.connectTimeout());
    assertEquals("/holdfast/lock", config.locks().paths().base());
    assertEquals(ZooDefs.Ids.OPEN_ACL_UNSAFE, config.locks().acl());
    assertEquals(Optional.empty(), config.locks().commandTimeout());
    assertEquals(Optional.empty(), config.auth());
    assertEquals(Optional.empty(), config.tls());
  }

  /** A session of less than a second would end with each pause of the JVM. */
  @Test
  void timesHaveBounds() {
    assertEquals(Duration.ofSeconds(1), config("session-timeout", "1s").sessionTimeout());
    assertEquals(Duration.ofHours(1), config("session-timeout", "1h").sessionTimeout());
    assertEquals(Duration.ofMillis(1), config("connect-timeout", "1ms").connectTimeout());
    refused("session-timeout", "999ms");
    refused("session-timeout", "3600001ms");
    refused("connect-timeout", "3600001ms");
  }

  @Test
  void serversAreCheckedOneByOne() {
    for (String good : List.of("zk1", "a,b", " a:1,b:65535/app ", "[::1]:2181", "a:1/app/x")) {
      assertEquals(good.trim(), config("connect", good).connect());
    }
    for (String bad : List.of("a,,b", "a,", ",a", "a:1,b:0", "a/b,c/d", "a/app/", "a:123456")) {
      refused("connect", bad);
    }
  }

  /** ZooKeeper keeps its own configuration and quotas there. */
  @Test
  void noLockIsBelowZooKeepersOwnNode() {
    refused("root", "/zookeeper");
    refused("root", "/zookeeper/holdfast");
    refused("root", "holdfast");
    assertEquals("/zookeepers/lock", config("root", "/zookeepers").locks().paths().base());
  }

  @Test
  void anIdentityHasAUserAndAPassword() {
    refused("auth", "alice:");
    refused("auth", ":secret");
    ZooKeeperConfig config = config("auth", "alice:se:cret", "acl", " Creator ");
    assertEquals(Optional.of("alice:se:cret"), config.auth());
    assertEquals(ZooDefs.Ids.CREATOR_ALL_ACL, config.locks().acl());
    assertFalse(config.toString().contains("se:cret"), config::toString);
  }
}
