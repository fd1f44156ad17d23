/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisSentinel;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/** Locks over the connections of an application, in all their forms, on real servers. */
class ApplicationConnectionsTest {

  private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

  private LockConfig config(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return ApplicationConfig.of(environment, beans).config();
  }

  /** Takes a lock, and says of which provider it is. */
  private String locks(Map<String, Object> properties, String scenario) throws Exception {
    try (Scenarios scenarios = Scenarios.open(config(properties), ClientOptions.defaults())) {
      ScenarioLocks locks = scenarios.forScenario(scenario);
      try (Lease lease = locks.lock("name").acquire(Duration.ofSeconds(10))) {
        lease.ensureValid();
      }
      return locks.scenario().provider();
    }
  }

  private void redis(LettuceConnectionFactory factory) {
    factory.afterPropertiesSet();
    factory.start();
    beans.addBean("redisConnectionFactory", factory);
  }

  @Test
  void oneRedisWithCredentialsAndADatabase() throws Exception {
    try (RedisServer server = RedisServer.launch("--requirepass", "secret")) {
      RedisStandaloneConfiguration one =
          new RedisStandaloneConfiguration("localhost", server.port());
      one.setPassword("secret");
      one.setDatabase(3);
      LettuceConnectionFactory factory = new LettuceConnectionFactory(one);
      redis(factory);
      assertEquals("redis", locks(Map.of("holdfast.namespace", "shop"), "default"));
      try (var connection = factory.getConnection()) {
        assertEquals(true, connection.keyCommands().exists("shop#token".getBytes(UTF_8)));
      }
      factory.destroy();
    }
  }

  @Test
  void redisBehindSentinels() throws Exception {
    try (RedisServer server = RedisServer.launch();
        RedisSentinel sentinel = RedisSentinel.launch("master", server, 1, Duration.ofSeconds(5))) {
      Conditions.until(
          "the sentinel hears the primary", Duration.ofSeconds(30), sentinel::primaryIsHeard);
      LettuceConnectionFactory factory =
          new LettuceConnectionFactory(
              new RedisSentinelConfiguration()
                  .master("master")
                  .sentinel("localhost", sentinel.port()));
      redis(factory);
      assertEquals("redis", locks(Map.of(), "cache"));
      factory.destroy();
    }
  }

  @Test
  void aRedisCluster() throws Exception {
    try (RedisServer server =
        RedisServer.launch("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1")) {
      server.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      Conditions.until(
          "the cluster is ready",
          Duration.ofSeconds(30),
          () -> server.command("CLUSTER", "INFO").contains("cluster_state:ok"));
      LettuceConnectionFactory factory =
          new LettuceConnectionFactory(
              new RedisClusterConfiguration().clusterNode("localhost", server.port()));
      redis(factory);
      assertEquals("redis", locks(Map.of(), "default"));
      factory.destroy();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aDataSource(String provider) throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(server.url());
      source.setUser(PostgresServer.USER);
      beans.addBean("dataSource", new TransactionAwareDataSourceProxy(source));
      assertEquals(
          provider,
          locks(
              Map.of("holdfast.provider", provider, "holdfast.create-schema", "true"), "default"));
    }
  }

  /** The thread may still undo what it has written, by whichever proxy the locks are opened. */
  @Test
  void locksHaveNothingToDoWithTheTransactionOfTheThread() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(server.url());
      source.setUser(PostgresServer.USER);
      beans.addBean(
          "dataSource",
          new LazyConnectionDataSourceProxy(new TransactionAwareDataSourceProxy(source)));
      DataSourceTransactionManager transactions = new DataSourceTransactionManager(source);
      TransactionStatus transaction =
          transactions.getTransaction(TransactionDefinition.withDefaults());
      new JdbcTemplate(source).execute("CREATE TABLE written (what text)");
      assertEquals(
          "postgres-table",
          locks(
              Map.of("holdfast.provider", "postgres-table", "holdfast.create-schema", "true"),
              "default"));
      transactions.rollback(transaction);
      assertEquals(
          List.of(), server.ask("SELECT tablename FROM pg_tables WHERE tablename = 'written'"));
    }
  }

  @Test
  void twoKindsOfConnectionsAreNotChosenFrom() {
    beans.addBean("redisConnectionFactory", new LettuceConnectionFactory());
    beans.addBean("dataSource", new PGSimpleDataSource());
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> config(Map.of()));
    assertEquals(
        "Locks could be had over more than one connection of this application:"
            + " redis (bean [redisConnectionFactory]), or postgres-advisory, postgres-table,"
            + " postgres-row (bean [dataSource]). Say which: set 'holdfast.provider', or"
            + " 'holdfast.url' to give the locks connections of their own",
        refused.getMessage());
  }

  @Test
  void twoBeansOfOneKindAreNamed() throws Exception {
    MemoryServer one = new MemoryServer();
    PGSimpleDataSource source = new PGSimpleDataSource();
    beans.addBean("a", source);
    beans.addBean("b", new PGSimpleDataSource());
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () -> locks(Map.of("holdfast.provider", "postgres-table"), "default"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("over one of the beans [a, b]. Say which"),
        refused::getMessage);
    refused =
        assertThrows(
            LockConfigurationException.class,
            () ->
                locks(
                    Map.of("holdfast.provider", "postgres-table", "holdfast.bean", "c"),
                    "default"));
    assertTrue(
        String.valueOf(refused.getMessage())
            .contains("'holdfast.backend.default.bean' is 'c', but there is no bean"),
        refused::getMessage);
    assertTrue(one.owners().isEmpty());
  }

  @Test
  void aServerInMemoryGoesBeforeAll() throws Exception {
    beans.addBean("memory", new MemoryServer());
    beans.addBean("dataSource", new PGSimpleDataSource());
    Map<String, Object> configured =
        Map.of(
            "holdfast.backend.main.url", "redis://nowhere",
            "holdfast.scenario.batch.backend", "main",
            "holdfast.scenario.own.ttl", "3s");
    for (String scenario : new String[] {"default", "financial", "batch", "session", "own"}) {
      assertEquals("memory", locks(configured, scenario));
    }
  }

  @Test
  void withoutAnythingTheErrorSaysWhatToSet() {
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> locks(Map.of(), "default"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("There is no backend for scenario 'default'"),
        refused::getMessage);
  }
}
