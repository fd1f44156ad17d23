/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The time that tests wait for other threads, from which a busy machine can take seconds. */
final class Patience {

  static final int SECONDS = 20;

  private Patience() {}

  static <T> T get(Future<T> result) throws Exception {
    return result.get(SECONDS, TimeUnit.SECONDS);
  }

  static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(SECONDS, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nothing came");
    }
    return next;
  }
}
