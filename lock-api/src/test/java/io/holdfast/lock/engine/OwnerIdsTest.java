/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OwnerIdsTest {

  private static final Pattern ID = Pattern.compile("billing-([A-Za-z0-9_-]{22})-([0-9]+)");
  private static final int BITS = 128;

  private static OwnerIds ids(String name) {
    return new OwnerIds(Optional.of(name));
  }

  private static BigInteger random(String id) {
    Matcher matcher = ID.matcher(id);
    assertTrue(matcher.matches(), id);
    return new BigInteger(1, Base64.getUrlDecoder().decode(matcher.group(1)));
  }

  /** Two processes may have one name: only what is random tells their ids apart. */
  @Test
  void eachClientHasRandomBitsOfItsOwn() {
    BigInteger ever = BigInteger.ZERO;
    BigInteger always = BigInteger.ZERO.setBit(BITS).subtract(BigInteger.ONE);
    for (int i = 0; i < 64; i++) {
      BigInteger bits = random(ids("billing").next());
      ever = ever.or(bits);
      always = always.and(bits);
    }
    // That one of them is the same 64 times in a row has a chance of 1 in 2^56.
    assertEquals(BITS, ever.bitCount(), "bits that were ever set");
    assertEquals(0, always.bitCount(), "bits that were always set");
  }

  @Test
  void eachAcquisitionHasANumber() {
    OwnerIds ids = ids("billing");
    String first = ids.next();
    String second = ids.next();
    assertNotEquals(first, second);
    assertEquals(random(first), random(second));
    assertTrue(first.endsWith("-1") && second.endsWith("-2"), first + " " + second);
  }

  @Test
  void theNameIsReadableAndNotTooLong() {
    OwnerIds odd = ids("shop 7/\u00e9");
    assertEquals("shop_7__", odd.clientName());
    assertEquals(Optional.of("shop_7__"), clientName(odd.next()));
    assertEquals("x".repeat(64), ids("x".repeat(65)).clientName());
    assertEquals("x".repeat(64), ids("x".repeat(64)).clientName());
    assertEquals("", ids("").clientName());
  }

  @Test
  void withoutANameAnOwnerIsItsHostAndProcess() {
    String name = new OwnerIds(Optional.empty()).clientName();
    assertTrue(name.endsWith("-" + ProcessHandle.current().pid()), name);
    assertTrue(name.length() > String.valueOf(ProcessHandle.current().pid()).length() + 1, name);
  }

  @Test
  void aForeignOwnerIdHasNoName() {
    assertEquals(Optional.empty(), clientName("somebody"));
    assertEquals(Optional.empty(), clientName("billing-short-1"));
  }

  private static Optional<String> clientName(String ownerId) {
    return new LockHolder(
            "orders",
            Optional.of(ownerId),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty())
        .clientName();
  }
}
