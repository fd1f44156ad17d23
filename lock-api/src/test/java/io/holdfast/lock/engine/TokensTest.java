/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.HandOver;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokensTest {

  private static final int PLACES = 1024;

  @Test
  void thereIsAPlaceForEachLeaseThatATenureMayHave() {
    assertEquals(PLACES, new HandOver(PLACES, Duration.ZERO).maxLeases());
    assertThrows(IllegalArgumentException.class, () -> new HandOver(PLACES + 1, Duration.ZERO));
    long last = 0;
    for (long backendToken = 1; backendToken < 4; backendToken++) {
      for (int place = 0; place < PLACES; place++) {
        long token = Tokens.at(backendToken, place);
        assertTrue(token > last, token + " after " + last);
        assertEquals(backendToken, Tokens.ofBackend(token));
        last = token;
      }
    }
  }

  @Test
  void theLimitOfABackendsCountIsPositive() {
    long most = (1L << 53) - 1;
    assertEquals(most, Tokens.ofBackend(Tokens.at(most, PLACES - 1)));
    assertTrue(Tokens.at(most, PLACES - 1) > Tokens.at(most, 0));
  }

  @Test
  void noTokenIsMadeOfNone() {
    assertEquals(0, Tokens.at(0, 5));
  }
}
