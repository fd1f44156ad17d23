/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LockKeysTest {

  private final TokenCounter counter = TokenCounter.exact("lock#token");

  @Test
  void thoseWhoWaitHaveAKeyOfTheirLock() {
    assertEquals(
        "lock#waiting:lock:a", new LockKeys("lock:a", counter, "lock#waiting:", 0).waiting());
  }

  @Test
  void whereAllAreToldAlikeThereIsNoKeyOfThoseWhoWait() {
    assertEquals("", LockKeys.tellingAll("lock:a", counter).waiting());
  }
}
