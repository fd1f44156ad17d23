/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Where customers order, and the shop changes prices and exports its orders. */
@RestController
public class OrderController {

  private final Orders orders;
  private final Prices prices;
  private final Exports exports;

  OrderController(Orders orders, Prices prices, Exports exports) {
    this.orders = orders;
    this.prices = prices;
    this.exports = exports;
  }

  @PostMapping("/orders")
  public Receipt take(@RequestBody NewOrder order) {
    return prices.take(order);
  }

  @GetMapping("/orders/{id}")
  public ResponseEntity<Receipt> find(@PathVariable UUID id) {
    return orders.find(id).stream()
        .findFirst()
        .map(ResponseEntity::ok)
        .orElseGet(() -> ResponseEntity.notFound().build());
  }

  @PutMapping("/prices/{item}")
  public void change(@PathVariable String item, @RequestParam int cents) {
    prices.change(item, cents);
  }

  @GetMapping("/exports")
  public String export() {
    return exports.write();
  }
}
