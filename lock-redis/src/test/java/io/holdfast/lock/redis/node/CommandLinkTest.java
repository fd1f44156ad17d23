/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CommandLinkTest {

  /** One that was started at 0.9 s says at 2.0 s that it has been running for 2 s. */
  @Test
  void aServerIsNotTakenForOlderThanItIs() {
    assertEquals(1, CommandLink.leastSecondsUp("2"));
    assertEquals(86_399, CommandLink.leastSecondsUp("86400"));
    assertEquals(0, CommandLink.leastSecondsUp("1"));
    assertEquals(0, CommandLink.leastSecondsUp("0"));
    assertEquals(0, CommandLink.leastSecondsUp("long"), "what is no number proves nothing");
  }
}
