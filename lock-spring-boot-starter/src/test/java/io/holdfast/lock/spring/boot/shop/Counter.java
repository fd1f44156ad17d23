/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where customers ask. */
@RestController
public class Counter {

  private final Stock stock;
  private final Till till;

  Counter(Stock stock, Till till) {
    this.stock = stock;
    this.till = till;
  }

  @PostMapping("/sell/{item}")
  public void sell(@PathVariable("item") String item) {
    stock.sell(item);
  }

  @PostMapping("/sell-within/{item}")
  public void sellWithin(@PathVariable("item") String item) {
    till.sell(item);
  }

  @PostMapping("/sell-at-once/{item}")
  public void sellAtOnce(@PathVariable("item") String item) {
    stock.sellAtOnce(item);
  }

  @PostMapping("/lose/{item}")
  @SuppressWarnings("NullAway") // The lease is given to the method, whatever is passed.
  public void lose(@PathVariable("item") String item) throws Exception {
    stock.lose(item, null);
  }

  @PostMapping("/lose-within/{item}")
  public void loseWithin(@PathVariable("item") String item) throws Exception {
    till.lose(item);
  }
}
