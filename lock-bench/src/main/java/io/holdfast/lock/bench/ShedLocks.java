/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.bench.Entry.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock, which does not wait. */
final class ShedLocks {

  private static final Duration AT_MOST = Duration.ofSeconds(30);
  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT"
          + " NULL, locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)";

  private ShedLocks() {}

  static Entry redis() {
    return new Entry(
        "redis",
        Kind.PEER,
        "ShedLock Redis",
        "RedisLockProvider(LettuceConnectionFactory), lockAtMostFor 30 s",
        Set.of(),
        address -> {
          LettuceConnectionFactory factory = SpringRegistries.redisConnections(address);
          return new Provider(new RedisLockProvider(factory), factory::destroy);
        });
  }

  static Entry jdbc() {
    return new Entry(
        "postgres-table",
        Kind.PEER,
        "ShedLock JDBC",
        "JdbcTemplateLockProvider with usingDbTime over HikariCP with its 10 connections,"
            + " lockAtMostFor 30 s",
        Set.of(),
        address -> {
          HikariDataSource pool = Postgres.pool(address);
          JdbcTemplate template = new JdbcTemplate(pool);
          template.execute(TABLE);
          return new Provider(
              new JdbcTemplateLockProvider(
                  JdbcTemplateLockProvider.Configuration.builder()
                      .withJdbcTemplate(template)
                      .usingDbTime()
                      .build()),
              pool::close);
        });
  }

  private record Provider(LockProvider provider, Runnable ending) implements Contestant {

    @Override
    public Held take(String key) {
      SimpleLock lock =
          provider
              .lock(new LockConfiguration(Instant.now(), key, AT_MOST, Duration.ZERO))
              .orElseThrow(() -> new IllegalStateException(key + " is taken"));
      return lock::unlock;
    }

    @Override
    public void close() {
      ending.run();
    }
  }
}
