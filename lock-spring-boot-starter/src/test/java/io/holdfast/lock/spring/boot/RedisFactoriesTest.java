/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.servers.Certificates;
import io.holdfast.lock.servers.Ports;
import io.holdfast.lock.servers.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.StaticCredentialsProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Locks are where a factory of connections to Redis connects, or are refused: a factory that was
 * not made with the class for one server still has one, which is on this host.
 */
class RedisFactoriesTest {

  private static void lock(LettuceConnectionFactory factory) throws Exception {
    factory.afterPropertiesSet();
    factory.start();
    StaticListableBeanFactory beans = new StaticListableBeanFactory();
    beans.addBean("redisConnectionFactory", factory);
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("holdfast.namespace", "shop")));
    try (Scenarios scenarios =
            Scenarios.open(
                ApplicationConfig.of(environment, beans).config(), ClientOptions.defaults());
        Lease lease =
            scenarios.forScenario("default").lock("name").acquire(Duration.ofSeconds(10))) {
      lease.ensureValid();
    }
  }

  @Test
  void oneThatWasMadeOfAnAddress() throws Exception {
    try (RedisServer server = RedisServer.launch("--requirepass", "secret")) {
      String address = "redis://:secret@localhost:" + server.port() + "/3";
      LettuceConnectionFactory factory =
          new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(address));
      lock(factory);
      try (var connection = factory.getConnection()) {
        assertEquals(true, connection.keyCommands().exists("shop#token".getBytes(UTF_8)));
      }
      factory.destroy();
    }
  }

  @Test
  void oneThatUsesTls(@TempDir Path files) throws Exception {
    Certificates certificates = new Certificates(files);
    Path authority = certificates.authority("ca");
    Path certificate = certificates.signedBy("ca", "server", "IP:127.0.0.1");
    int port = Ports.free();
    try (RedisServer server =
        RedisServer.launch(
            "--tls-port",
            String.valueOf(port),
            "--tls-cert-file",
            certificate.toString(),
            "--tls-key-file",
            files.resolve("server.key").toString(),
            "--tls-ca-cert-file",
            authority.toString(),
            "--tls-auth-clients",
            "no")) {
      assumeFalse(server.describe().contains("container"), "needs files of this machine");
      LettuceConnectionFactory factory =
          new LettuceConnectionFactory(
              new RedisStandaloneConfiguration("127.0.0.1", port),
              LettuceClientConfiguration.builder()
                  .clientOptions(trusting(authority))
                  .useSsl()
                  .build());
      lock(factory);
      factory.destroy();
    }
  }

  private static io.lettuce.core.ClientOptions trusting(Path authority) {
    return io.lettuce.core.ClientOptions.builder()
        .sslOptions(SslOptions.builder().trustManager(authority.toFile()).build())
        .build();
  }

  /** Where it connects; to connect, it needs a native transport of Netty. */
  @Test
  void oneWithASocketOfUnix() {
    RedisSocketConfiguration socket = new RedisSocketConfiguration("/run/redis.sock");
    socket.setDatabase(3);
    socket.setPassword("secret");
    RedisURI uri =
        RedisConnection.uri(
            new LettuceConnectionFactory(
                socket,
                LettuceClientConfiguration.builder()
                    .commandTimeout(Duration.ofSeconds(7))
                    .build()));
    assertEquals("/run/redis.sock", uri.getSocket());
    assertEquals(3, uri.getDatabase());
    assertEquals(Duration.ofSeconds(7), uri.getTimeout());
    assertTrue(uri.getCredentialsProvider() instanceof StaticCredentialsProvider);
  }

  /** As an aspect or a scope makes one: its own fields say nothing about where it connects. */
  @Test
  void aProxyOfOne() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      LettuceConnectionFactory factory = new LettuceConnectionFactory("localhost", server.port());
      ProxyFactory proxies = new ProxyFactory(factory);
      proxies.setProxyTargetClass(true);
      lock((LettuceConnectionFactory) proxies.getProxy());
      factory.destroy();
    }
  }

  /** Nobody watches which of its servers is the master. */
  @Test
  void aMasterWithReplicasByFixedAddressesIsRefused() {
    RedisStaticMasterReplicaConfiguration servers =
        new RedisStaticMasterReplicaConfiguration("localhost", 1);
    servers.addNode("localhost", 2);
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(servers, LettuceClientConfiguration.defaultConfiguration());
    String told =
        String.valueOf(
            assertThrows(LockConfigurationException.class, () -> lock(factory)).getMessage());
    assertTrue(told.contains("neither to one server, nor through sentinels"), told);
    factory.destroy();
  }
}
