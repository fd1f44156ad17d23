/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.PostgresServer;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** A migration of the application makes the tables of the locks. */
@Timeout(120)
class MigratedTablesTest {

  /** As Flyway and Liquibase do it. */
  @AutoConfiguration(after = HoldfastAutoConfiguration.class)
  static class Migration {

    /** If something else opened the locks meanwhile, it would find no tables. */
    @Bean
    String migrated(DataSource source) throws InterruptedException {
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().equals("holdfast-opening")) {
          thread.join(TimeUnit.SECONDS.toMillis(60));
        }
      }
      ResourceDatabasePopulator sql = new ResourceDatabasePopulator();
      sql.addScript(new ClassPathResource("io/holdfast/lock/postgres/holdfast.sql"));
      sql.execute(source);
      return "migrated";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({HoldfastAutoConfiguration.class, Migration.class})
  static class Application {

    /** Of this test. */
    static String url = "";

    @Bean
    DataSource dataSource() {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(url);
      source.setUser(PostgresServer.USER);
      return source;
    }
  }

  @Test
  void locksAreOpenedAfterIt() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      Application.url = server.url();
      try (ConfigurableApplicationContext context =
          new SpringApplicationBuilder(Application.class)
              .web(WebApplicationType.NONE)
              .properties("holdfast.provider=postgres-table", "spring.main.banner-mode=off")
              .run()) {
        assertTrue(context.getBean(LockClient.class).lock("a").acquire().isValid());
      }
    }
  }
}
