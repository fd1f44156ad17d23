/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.boot.Leads;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Ships what was ordered. One instance does it, the leader; it is interrupted if it has to stop. */
@Component
@Leads("shipping")
public class Shipping implements Work {

  private final JdbcTemplate database;
  private final String instance;

  Shipping(JdbcTemplate database, @Value("${holdfast.client-name}") String instance) {
    this.database = database;
    this.instance = instance;
  }

  @Override
  public void start(Lease lease) throws InterruptedException {
    while (lease.isValid()) {
      database.update("UPDATE orders SET shipped_by = ? WHERE shipped_by IS NULL", instance);
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  @Override
  public void stop(StopReason reason) {
    // start() has ended when this is called.
  }
}
