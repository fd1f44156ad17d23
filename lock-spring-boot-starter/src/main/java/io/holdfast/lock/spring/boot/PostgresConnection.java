/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.postgres.PostgresLocks;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ClassUtils;

/** Over a data source of PostgreSQL. */
final class PostgresConnection implements ReadyConnection {

  private static final boolean SPRING_JDBC =
      ClassUtils.isPresent(
          "org.springframework.jdbc.datasource.DelegatingDataSource",
          PostgresConnection.class.getClassLoader());

  @Override
  public LockClient open(
      Object bean, String provider, Map<String, String> settings, ClientOptions options) {
    DataSource source = SPRING_JDBC ? Plain.of((DataSource) bean) : (DataSource) bean;
    return switch (provider) {
      case "postgres-advisory" -> PostgresLocks.advisory(source, settings, options);
      case "postgres-table" -> PostgresLocks.table(source, settings, options);
      default -> PostgresLocks.row(source, settings, options);
    };
  }

  /** Locks have nothing to do with the transaction of the thread that asks first. */
  private static final class Plain {

    private Plain() {}

    static DataSource of(DataSource source) {
      DataSource plain = source;
      while (plain instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
        plain = proxy.getTargetDataSource();
      }
      return plain;
    }
  }
}
