/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.spring.FencingToken;
import io.holdfast.lock.spring.Locked;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes orders: reads what is left of an item, and writes what is left after the order.
 *
 * <p>The lock lets one order of an item in at a time, in all instances, from before the transaction
 * begins until after it has been committed. If the lock is lost before the commit, the transaction
 * is rolled back.
 *
 * <p>What no lock can exclude is a process that is suspended between the last check of its lock and
 * the commit. So each order leaves its fencing token in the row, and is refused if another one has
 * been there since it read the row.
 */
@Service
public class Orders {

  private final JdbcTemplate database;
  private final String instance;

  Orders(JdbcTemplate database, @Value("${holdfast.client-name}") String instance) {
    this.database = database;
    this.instance = instance;
  }

  /** A row of the stock. */
  private record Stock(int leftOver, long token) {}

  /**
   * Takes an order.
   *
   * @param order may have been sent before
   * @param cents the price of one
   * @param token is given by the lock, whatever is passed
   * @return says who took it
   */
  @Locked(name = "stock", key = "#order.item", maxWait = "${orders.max-wait}")
  @Transactional
  public Receipt take(NewOrder order, int cents, @FencingToken long token) {
    List<String> earlier =
        database.queryForList("SELECT taken_by FROM orders WHERE id = ?", String.class, order.id());
    if (!earlier.isEmpty()) {
      return new Receipt(order.id(), earlier.get(0));
    }
    Stock stock = stock(order.item());
    int left = stock.leftOver() - order.quantity();
    if (left < 0) {
      throw OrderRefusedException.soldOut(order.item());
    }
    int written =
        database.update(
            "UPDATE stock SET left_over = ?, token = ? WHERE item = ? AND token = ? AND token < ?",
            left,
            token,
            order.item(),
            stock.token(),
            token);
    if (written == 0) {
      throw OrderRefusedException.overtaken(order.item());
    }
    database.update(
        "INSERT INTO orders (id, item, quantity, cents, taken_by) VALUES (?, ?, ?, ?, ?)",
        order.id(),
        order.item(),
        order.quantity(),
        cents,
        instance);
    return new Receipt(order.id(), instance);
  }

  private Stock stock(String item) {
    return database
        .query(
            "SELECT left_over, token FROM stock WHERE item = ?",
            (row, number) -> new Stock(row.getInt(1), row.getLong(2)),
            item)
        .stream()
        .findFirst()
        .orElseThrow(() -> OrderRefusedException.unknown(item));
  }

  /**
   * Looks an order up.
   *
   * @param id of the order
   * @return who took it
   */
  public List<Receipt> find(UUID id) {
    return database.query(
        "SELECT taken_by FROM orders WHERE id = ?",
        (row, number) -> new Receipt(id, row.getString(1)),
        id);
  }
}
