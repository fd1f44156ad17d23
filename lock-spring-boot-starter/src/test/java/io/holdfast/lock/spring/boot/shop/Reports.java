/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import io.holdfast.lock.spring.FencingToken;
import io.holdfast.lock.spring.Locked;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Written by a job that has the lock already, and whose lease this shares. */
@Component
public class Reports {

  private final JdbcTemplate database;

  Reports(JdbcTemplate database) {
    this.database = database;
  }

  /** A token of Redis begins with the time of the grant, in microseconds by the server's clock. */
  @Locked(name = "report")
  public void write(@FencingToken long token) {
    database.update("INSERT INTO reports VALUES (?)", token / 1024);
  }
}
