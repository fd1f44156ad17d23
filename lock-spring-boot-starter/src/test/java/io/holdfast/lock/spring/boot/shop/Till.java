/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot.shop;

import io.holdfast.lock.Lease;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Begins the transaction before anything is locked. */
@Service
public class Till {

  private final Stock stock;

  Till(Stock stock) {
    this.stock = stock;
  }

  @Transactional
  public void sell(String item) {
    stock.sellWithin(item);
  }

  /** The lock is lost after its method has returned, and before the commit. */
  @Transactional
  @SuppressWarnings("NullAway") // The lease is given to the method, whatever is passed.
  public void lose(String item) throws Exception {
    Lease lease = stock.sellSlowly(item, null);
    stock.evict(lease);
  }
}
