/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.Locked;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads, thinks, and writes; only a lock keeps two from doing so at once. */
@Service
public class Stock {

  private final JdbcTemplate database;
  private final LockClient locks;

  Stock(JdbcTemplate database, LockClient locks) {
    this.database = database;
    this.locks = locks;
  }

  /** The transaction is within the lock. */
  @Locked(name = "item", key = "#item", maxWait = "60s")
  @Transactional
  public void sell(String item) {
    takeOne(item);
  }

  /** Called by a {@link Till}, within whose transaction the lock is. */
  @Locked(name = "item", key = "#item", maxWait = "60s")
  public void sellWithin(String item) {
    takeOne(item);
  }

  private void takeOne(String item) {
    Integer left =
        database.queryForObject("SELECT left_over FROM stock WHERE item = ?", Integer.class, item);
    database.queryForObject("SELECT 1 FROM pg_sleep(0.003)", Integer.class);
    database.update(
        "UPDATE stock SET left_over = ? WHERE item = ?", (left == null ? 0 : left) - 1, item);
  }

  /** Somebody else's request is at work. */
  @Locked(name = "item", key = "#item", maxWait = "0s")
  public void sellAtOnce(String item) {
    takeOne(item);
  }

  /** Loses its lock before the commit. */
  @Locked(name = "item", key = "#item", maxWait = "10s", ttl = "1s")
  @Transactional
  public void lose(String item, Lease lease) throws Exception {
    takeOne(item);
    evict(lease);
  }

  /** The same within the transaction of a {@link Till}. */
  @Locked(name = "item", key = "#item", maxWait = "10s", ttl = "1s")
  public Lease sellSlowly(String item, Lease lease) {
    takeOne(item);
    return lease;
  }

  /** Has the lock until the transaction has ended. */
  public void evict(Lease lease) throws Exception {
    // A machine that stands still may have lost it before.
    locks.inspector().holder(lease.lockName()).ifPresent(locks.inspector()::evict);
    lease.loss().get(30, TimeUnit.SECONDS);
  }
}
