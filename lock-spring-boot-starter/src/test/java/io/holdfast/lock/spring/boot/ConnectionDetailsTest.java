/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Locks are where Boot's connection details say, whatever the properties are: those that
 * {@code @ServiceConnection} makes of a container, Docker Compose, or a bean as here.
 */
class ConnectionDetailsTest {

  private static RedisServer redis;
  private static PostgresServer postgres;

  /** Boot 4 has the type under another name, so that is written once. */
  record RedisDetails(String host, int port)
      implements org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails {

    @Override
    public Standalone getStandalone() {
      return Standalone.of(host, port);
    }
  }

  /** As above. */
  record PostgresDetails(String url)
      implements org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails {

    @Override
    public String getJdbcUrl() {
      return url;
    }

    @Override
    public String getUsername() {
      return PostgresServer.USER;
    }

    @Override
    public String getPassword() {
      return "";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    RedisDetails redisDetails() {
      return new RedisDetails(redis.host(), redis.port());
    }

    @Bean
    PostgresDetails postgresDetails() {
      return new PostgresDetails(postgres.url());
    }
  }

  @BeforeAll
  static void start() {
    redis = RedisServer.launch();
    postgres = PostgresServer.launch();
  }

  @AfterAll
  static void stop() {
    if (redis != null) {
      redis.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  /** There is nothing at the addresses of the properties. */
  private static ConfigurableApplicationContext run(String... properties) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(
            "spring.data.redis.port=1", "spring.datasource.url=jdbc:postgresql://localhost:1/none")
        .properties(properties)
        .run();
  }

  private static Lease acquire(ConfigurableApplicationContext context) throws Exception {
    return context.getBean(LockClient.class).lock("order:7").acquire(Duration.ofSeconds(30));
  }

  @Test
  void locksAreInTheRedisOfTheDetails() throws Exception {
    try (ConfigurableApplicationContext context = run("holdfast.provider=redis");
        Lease lease = acquire(context)) {
      lease.ensureValid();
      assertEquals(List.of("lock:order:7"), redis.values("KEYS", "*order:7*"));
    }
  }

  @Test
  void locksAreInThePostgresOfTheDetails() throws Exception {
    try (ConfigurableApplicationContext context =
            run("holdfast.provider=postgres-table", "holdfast.create-schema=true");
        Lease lease = acquire(context)) {
      lease.ensureValid();
      assertEquals(List.of("order:7"), postgres.ask("SELECT name FROM holdfast.table_lock"));
    }
  }
}
