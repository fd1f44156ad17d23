/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import com.example.orders.Shop.Instance;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Starts the servers and two instances, for a look at them: {@code mvn spring-boot:test-run}. */
public final class TwoInstances {

  private TwoInstances() {}

  public static void main(String[] args) throws InterruptedException {
    try (Shop shop = new Shop()) {
      Runtime.getRuntime().addShutdownHook(new Thread(shop::close));
      for (Instance instance : List.of(shop.start(), shop.start())) {
        instance.awaitStart();
        System.out.printf(
            "%s: %s  (end it with: kill -9 %d)%n",
            instance.name(), instance.uri("/"), instance.process().pid());
      }
      System.out.println("Ctrl-C ends all.");
      new CountDownLatch(1).await();
    }
  }
}
