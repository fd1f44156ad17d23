/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.spring.Locked;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/** Reads all orders, which is a load for the database. */
@Service
public class Exports {

  private final JdbcTemplate database;

  Exports(JdbcTemplate database) {
    this.database = database;
  }

  /**
   * As many run at a time, in all instances, as the scenario has permits. One more is refused.
   *
   * @return a line for each order
   */
  @Locked(name = "exports", scenario = "exports", permits = 1, maxWait = "0s")
  public String write() {
    return String.join(
        "\n",
        database.queryForList(
            "SELECT concat_ws(',', id, item, quantity, cents) FROM orders", String.class));
  }
}
