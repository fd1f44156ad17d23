/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.spi.ClientLibrary;

/** The libraries that are needed. They are named as text, so that nothing here links them. */
final class PostgresLibraries {

  private static final String PGJDBC = "org.postgresql:postgresql";
  private static final String PGJDBC_CLASS = "org.postgresql.Driver";

  /** An older one asks the security manager before it aborts a connection; Java 24 has none. */
  static final ClientLibrary DRIVER =
      Runtime.version().feature() >= 24
          ? new ClientLibrary(PGJDBC, PGJDBC_CLASS, "42.7.6", "for Java 24 and newer")
          : new ClientLibrary(PGJDBC, PGJDBC_CLASS, "42.2.29");

  /** Only row locks need many connections. */
  static final ClientLibrary POOL =
      new ClientLibrary("com.zaxxer:HikariCP", "com.zaxxer.hikari.HikariDataSource", "6.0.0");

  private PostgresLibraries() {}
}
