/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.holdfast.lock.Share;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LockKeysTest {

  private static final List<String> NAMES =
      List.of(
          "a",
          "a/",
          "a/b",
          "a%2Fb",
          "a%",
          "a%2",
          "a0",
          "a/0",
          "/",
          "//",
          "0",
          "%",
          "%2F",
          "%25",
          "%252F",
          "a.",
          "ab",
          "A",
          "ä",
          "\u0000",
          "a\u0000",
          "a\n",
          "\uD83D\uDD12",
          ".",
          "..");

  private final LockKeys keys = new LockKeys("/holdfast", "lock");

  @Test
  void differentNamesHaveDifferentQueues() {
    Set<ByteString> queues = new HashSet<>();
    NAMES.forEach(name -> assertTrue(queues.add(keys.queue(name)), name));
  }

  @Test
  void theRangeOfAQueueHoldsNoKeyOfAnother() {
    for (String name : NAMES) {
      ByteString queue = keys.queue(name);
      ByteString end = LockKeys.endOf(queue);
      for (String other : NAMES) {
        ByteString key = keys.queue(other).concat(ByteString.copyFromUtf8("shop-1/a-x"));
        boolean inside = compare(key, queue) >= 0 && compare(key, end) < 0;
        assertEquals(name.equals(other), inside, name + " and " + other);
      }
      assertFalse(compare(keys.base(), queue) >= 0 && compare(keys.base(), end) < 0);
    }
  }

  @Test
  void theRangeOfANamespaceHoldsNoKeyOfAnother() {
    ByteString other = new LockKeys("/holdfast", "lock2").queue("a");
    assertFalse(other.startsWith(keys.base()));
    assertFalse(new LockKeys("/holdfast/lock", "a").base().equals(keys.queue("a").concat(end())));
  }

  @Test
  void namesCanBeToldFromKeys() {
    for (String name : NAMES) {
      ByteString key = LockKeys.contender(keys.queue(name), 255, Share.Mode.READ);
      assertEquals(Optional.of(name), keys.lockName(key));
      assertTrue(compare(LockKeys.next(key), key) > 0);
    }
    assertEquals(Optional.empty(), keys.lockName(keys.base()));
  }

  @Test
  void ordinaryNamesCanBeRead() {
    assertEquals("/holdfast/lock/order:12345 ä/", keys.queue("order:12345 ä").toStringUtf8());
    assertEquals("/holdfast/lock/a%2Fb%25/", keys.queue("a/b%").toStringUtf8());
  }

  /** A reader waits for what is before the keys of readers, and the others for all. */
  @Test
  void readersAreBehindAllOthers() {
    ByteString queue = keys.queue("a");
    ByteString last = LockKeys.contender(queue, -1, Share.Mode.LOCK);
    assertEquals("/holdfast/lock/a/ffffffffffffffff", last.toStringUtf8());
    ByteString reader = LockKeys.contender(queue, 1, Share.Mode.READ);
    assertEquals("/holdfast/lock/a/r1", reader.toStringUtf8());
    assertTrue(compare(last, LockKeys.readersOf(queue)) < 0);
    assertTrue(compare(reader, LockKeys.endOf(queue)) < 0);
  }

  private static ByteString end() {
    return ByteString.copyFromUtf8("x");
  }

  private static int compare(ByteString a, ByteString b) {
    return ByteString.unsignedLexicographicalComparator().compare(a, b);
  }
}
