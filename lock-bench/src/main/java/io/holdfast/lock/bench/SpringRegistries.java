/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Entry.Trait;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's lock registries. */
final class SpringRegistries {

  private SpringRegistries() {}

  static Entry redis() {
    return new Entry(
        "redis",
        Kind.PEER,
        "Spring RedisLockRegistry",
        "new RedisLockRegistry(LettuceConnectionFactory, key): spin lock, 60 s",
        Set.of(Trait.WAITS),
        address -> {
          LettuceConnectionFactory factory = redisConnections(address);
          RedisLockRegistry registry = new RedisLockRegistry(factory, "spring");
          return new Registry(
              registry,
              () -> {
                registry.destroy();
                factory.destroy();
              });
        });
  }

  static Entry zookeeper() {
    return new Entry(
        "zookeeper",
        Kind.PEER,
        "Spring ZookeeperLockRegistry",
        "new ZookeeperLockRegistry(CuratorFramework)",
        Set.of(Trait.WAITS),
        address -> {
          CuratorFramework curator = ZooKeepers.curator(address);
          ZookeeperLockRegistry registry = new ZookeeperLockRegistry(curator);
          return new Registry(
              registry,
              () -> {
                registry.destroy();
                curator.close();
              });
        });
  }

  static Entry jdbc() {
    return new Entry(
        "postgres-table",
        Kind.PEER,
        "Spring JdbcLockRegistry",
        "DefaultLockRepository over HikariCP with its 10 connections",
        Set.of(Trait.WAITS),
        address -> {
          HikariDataSource pool = Postgres.pool(address);
          new ResourceDatabasePopulator(
                  true,
                  false,
                  null,
                  new ClassPathResource(
                      "org/springframework/integration/jdbc/schema-postgresql.sql"))
              .execute(pool);
          DefaultLockRepository repository = new DefaultLockRepository(pool);
          repository.setTransactionManager(new JdbcTransactionManager(pool));
          repository.afterPropertiesSet();
          repository.afterSingletonsInstantiated();
          repository.start();
          return new Registry(
              new JdbcLockRegistry(repository),
              () -> {
                repository.stop();
                pool.close();
              });
        });
  }

  static LettuceConnectionFactory redisConnections(Address address) {
    String[] parts = address.first().split(":", -1);
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(parts[0], Integer.parseInt(parts[1]));
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }

  private record Registry(LockRegistry<?> registry, Runnable ending) implements Contestant {

    @Override
    public Held take(String key) {
      Lock lock = registry.obtain(key);
      lock.lock();
      return lock::unlock;
    }

    @Override
    public void close() {
      ending.run();
    }
  }
}
