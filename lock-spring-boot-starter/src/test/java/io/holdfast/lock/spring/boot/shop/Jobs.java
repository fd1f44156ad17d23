/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.Locked.Busy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that takes longer than its pause, in every instance. */
@Component
public class Jobs {

  private final JdbcTemplate database;
  private final Reports reports;

  Jobs(JdbcTemplate database, Reports reports) {
    this.database = database;
    this.reports = reports;
  }

  /** Two at once would violate the key of what is running. */
  @Scheduled(fixedDelay = 20, initialDelay = 100)
  @Locked(name = "job", busy = Busy.SKIP)
  public void run() {
    database.update("INSERT INTO running VALUES ('job')");
    database.queryForObject("SELECT 1 FROM pg_sleep(0.05)", Integer.class);
    database.update("DELETE FROM running");
    database.update("INSERT INTO runs DEFAULT VALUES");
  }

  /** Takes no time, and every instance has its own clock. */
  @Scheduled(fixedRate = 300, initialDelay = 100)
  @Locked(name = "report", busy = Busy.SKIP, minHold = "2s")
  public void report() {
    reports.write(0);
  }
}
