/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what connections are made with. */
class RedisConfigTest {

  @Test
  void anAddressTellsWhetherItIsOfACluster() {
    assertTrue(RedisConfig.isCluster(new Settings("redis", Map.of("uri", "redis-cluster://a"))));
    assertFalse(RedisConfig.isCluster(new Settings("redis", Map.of("uri", "redis://a"))));
    assertFalse(RedisConfig.isCluster(new Settings("redis", Map.of())));
  }

  /** One that nobody has configured, as its address is in the map of the slots. */
  @Test
  void anyServerOfAClusterIsReachedAsTheConfiguredOnes() {
    Map<String, String> settings =
        Map.of(
            "uri",
            "rediss-cluster://a:1,b:2",
            "username",
            "app",
            "password",
            "secret",
            "wait-replicas",
            "2",
            "namespace",
            "mine",
            "connect-timeout",
            "4s",
            "command-timeout",
            "3s");
    RedisConfig other = RedisConfig.from(new Settings("redis", settings)).get(0).at("c", 7);
    assertEquals("c:7", other.where());
    assertEquals(2, other.replicas());
    assertEquals("mine", other.namespace());
    assertEquals(Duration.ofSeconds(4), other.connectTimeout());
    assertEquals(Duration.ofSeconds(3), other.commandTimeout());
    assertEquals(Duration.ofSeconds(3), timeout(other.options()));
    assertEquals(Duration.ofSeconds(4), other.uri().getTimeout());
    assertTrue(other.uri().isSsl());
    assertTrue(other.uri().isVerifyPeer());
    RedisCredentials user =
        Objects.requireNonNull(other.uri().getCredentialsProvider().resolveCredentials().block());
    assertEquals("app", user.getUsername());
    assertTrue(Arrays.equals("secret".toCharArray(), user.getPassword()));
  }

  /** A command that is sent again, or later, would take a lock that nobody asks for any more. */
  @Test
  void theOptionsOfAReadyClientAreMadeSafeInACopy() {
    ClientOptions given =
        ClientOptions.builder()
            .autoReconnect(true)
            .disconnectedBehavior(DisconnectedBehavior.ACCEPT_COMMANDS)
            .timeoutOptions(TimeoutOptions.create())
            .maintNotificationsConfig(MaintNotificationsConfig.enabled())
            .requestQueueSize(12_345)
            .build();
    RedisURI uri = RedisURI.create("redis://localhost:1");
    Duration before = uri.getTimeout();
    ClientOptions safe = RedisConfig.of("mine", uri, given).options();
    assertFalse(safe.isAutoReconnect());
    assertEquals(DisconnectedBehavior.REJECT_COMMANDS, safe.getDisconnectedBehavior());
    assertFalse(safe.getMaintNotificationsConfig().maintNotificationsEnabled());
    assertTrue(safe.getTimeoutOptions().isTimeoutCommands());
    assertEquals(Duration.ofSeconds(1), timeout(safe));
    assertEquals(Duration.ofSeconds(5), safe.getSocketOptions().getConnectTimeout());
    assertTrue(safe.getSocketOptions().isKeepAlive());
    assertEquals(12_345, safe.getRequestQueueSize(), "what is no matter of safety is kept");
    assertTrue(given.isAutoReconnect());
    assertEquals(before, uri.getTimeout());
  }

  /** A user who names an authority or a certificate believes that the connection is encrypted. */
  @ParameterizedTest
  @ValueSource(strings = {"tls-truststore", "tls-keystore"})
  void aStoreIsRefusedWhereThereIsNoTls(String key, @TempDir Path files) throws IOException {
    String store = Files.createFile(files.resolve("store.p12")).toString();
    LockConfigurationException told =
        assertThrows(
            LockConfigurationException.class,
            () ->
                RedisConfig.from(
                    new Settings("redis", Map.of("uri", "redis://localhost", key, store))));
    assertTrue(String.valueOf(told.getMessage()).contains("rediss://"), told.getMessage());
    assertEquals(
        1,
        RedisConfig.from(new Settings("redis", Map.of("uri", "rediss://localhost", key, store)))
            .size());
  }

  private static Duration timeout(ClientOptions options) {
    TimeoutOptions.TimeoutSource source =
        Objects.requireNonNull(options.getTimeoutOptions().getSource());
    long limit =
        source.getTimeout(new Command<>(CommandType.PING, new StatusOutput<>(StringCodec.UTF8)));
    return Duration.of(limit, source.getTimeUnit().toChronoUnit());
  }
}
