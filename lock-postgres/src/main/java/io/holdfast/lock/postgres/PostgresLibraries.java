/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.spi.ClientLibrary;

/** The libraries that are needed. They are named as text, so that nothing here links them. */
final class PostgresLibraries {

  static final ClientLibrary DRIVER =
      new ClientLibrary("org.postgresql:postgresql", "org.postgresql.Driver", "42.2.29");

  /** Only row locks need many connections. */
  static final ClientLibrary POOL =
      new ClientLibrary("com.zaxxer:HikariCP", "com.zaxxer.hikari.HikariDataSource", "6.0.0");

  private PostgresLibraries() {}
}
