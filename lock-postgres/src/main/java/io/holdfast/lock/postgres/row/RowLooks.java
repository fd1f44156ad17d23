/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import java.util.concurrent.atomic.AtomicInteger;

/** Looks at one connection, which may have to wait for what its holder does there. */
final class RowLooks {

  private final AtomicInteger asked = new AtomicInteger();

  /** Looks, unless somebody is at it already, who then looks again. */
  void look(Runnable look) {
    if (asked.getAndIncrement() > 0) {
      return;
    }
    int seen;
    do {
      seen = asked.get();
      look.run();
    } while (!asked.compareAndSet(seen, 0));
  }

  boolean isUnderWay() {
    return asked.get() > 0;
  }
}
