/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.Locked.Mode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The price list. Any number of orders read it at a time, in all instances. A change waits until
 * those have been committed, and keeps later ones waiting: once it is done, nobody pays the old
 * price.
 *
 * <p>All locks are taken before the transaction begins, so that nothing waits for a lock with a
 * connection of the pool in its hands.
 */
@Service
public class Prices {

  private final JdbcTemplate database;
  private final Orders orders;

  Prices(JdbcTemplate database, Orders orders) {
    this.database = database;
    this.orders = orders;
  }

  /**
   * Takes an order, at the price of the list.
   *
   * @param order may have been sent before
   * @return says who took it
   */
  @Locked(name = "prices", mode = Mode.READ, maxWait = "${orders.max-wait}")
  public Receipt take(NewOrder order) {
    int cents =
        database
            .queryForList("SELECT cents FROM prices WHERE item = ?", Integer.class, order.item())
            .stream()
            .findFirst()
            .orElseThrow(() -> OrderRefusedException.unknown(order.item()));
    return orders.take(order, cents, 0);
  }

  /**
   * Changes a price.
   *
   * @param item whose price it is
   * @param cents for one of it
   */
  @Locked(name = "prices", mode = Mode.WRITE, maxWait = "${orders.max-wait}")
  @Transactional
  public void change(String item, int cents) {
    if (database.update("UPDATE prices SET cents = ? WHERE item = ?", cents, item) == 0) {
      throw OrderRefusedException.unknown(item);
    }
  }
}
