/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SlotTagsTest {

  @Test
  void eachSlotHasATagThatIsInIt() {
    SlotTags tags = new SlotTags();
    for (int slot = 0; slot < 16_384; slot++) {
      assertEquals(slot, SlotTags.slotOf(tags.of(slot)));
    }
  }

  /** As CLUSTER KEYSLOT answers. */
  @Test
  void theSlotIsThatOfTheServer() {
    assertEquals(15_495, SlotTags.slotOf("a"));
    assertEquals(15_495, SlotTags.slotOf("lock#waiting:{a}"));
  }
}
