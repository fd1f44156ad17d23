/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.Locked.Busy;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Counts the orders. */
@Component
public class Reports {

  private final JdbcTemplate database;
  private final String instance;

  Reports(JdbcTemplate database, @Value("${holdfast.client-name}") String instance) {
    this.database = database;
    this.instance = instance;
  }

  /** Every instance tries. One writes, and for as long as the lock is held no other does. */
  @Scheduled(fixedRateString = "${orders.report.every}")
  @Locked(name = "report", busy = Busy.SKIP, minHold = "${orders.report.hold}")
  public void write() {
    database.update(
        "INSERT INTO reports (written_by, orders) SELECT ?, count(*) FROM orders", instance);
  }
}
