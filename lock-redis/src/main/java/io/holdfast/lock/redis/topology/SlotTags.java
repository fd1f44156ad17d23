/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;

/** For each slot of a cluster a text that is hashed to it, so that keys can be put there. */
final class SlotTags {

  private final int[] tags = new int[SlotHash.SLOT_COUNT];

  SlotTags() {
    Arrays.fill(tags, -1);
    int missing = tags.length;
    for (int tag = 0; missing > 0; tag++) {
      int slot = slotOf(String.valueOf(tag));
      if (tags[slot] < 0) {
        tags[slot] = tag;
        missing--;
      }
    }
  }

  /** Of the bytes that are sent: of a text, Lettuce takes those in the charset of the JVM. */
  static int slotOf(String key) {
    return SlotHash.getSlot(key.getBytes(UTF_8));
  }

  String of(int slot) {
    return String.valueOf(tags[slot]);
  }
}
