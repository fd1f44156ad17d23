/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which part of an owner id is the name of its client. */
class LockHolderTest {

  /** Of Base64 for URLs, with each of its two signs. */
  private static final String RANDOM = "-Zz9_aBcDeFgHiJkLmNo_-";

  private static Optional<String> clientName(String ownerId) {
    return new LockHolder(
            "a", Optional.of(ownerId), OptionalLong.empty(), Optional.empty(), Optional.empty())
        .clientName();
  }

  @Test
  void theNameIsWhatStandsBeforeTheRandomPart() {
    assertEquals(Optional.of("shop"), clientName("shop-" + RANDOM + "-7"));
    assertEquals(Optional.of("my-shop_2.b-1"), clientName("my-shop_2.b-1-" + RANDOM + "-1234567"));
    assertEquals(Optional.of(""), clientName("-" + RANDOM + "-7"));
  }

  @Test
  void anOwnerIdOfAnotherMakeHasNone() {
    assertEquals(Optional.empty(), clientName("shop"));
    assertEquals(Optional.empty(), clientName("shop-" + "x".repeat(21) + "-7"));
    assertEquals(Optional.empty(), clientName("shop-" + "x".repeat(21) + "+-7"));
    assertEquals(Optional.empty(), clientName("shop-" + RANDOM + "-x"));
    assertEquals(Optional.empty(), clientName("shop-" + RANDOM));
    LockHolder unknown =
        new LockHolder(
            "a", Optional.empty(), OptionalLong.empty(), Optional.of("17"), Optional.empty());
    assertEquals(Optional.empty(), unknown.clientName());
  }
}
