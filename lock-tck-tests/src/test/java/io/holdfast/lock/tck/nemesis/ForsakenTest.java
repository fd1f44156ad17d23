/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.History;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForsakenTest {

  private static final Duration LEFT = Duration.ofSeconds(1);

  /** At 100: the locks that are held are taken away. */
  private static final List<Lane.Struck> STRUCK =
      List.of(
          new Lane.Struck(
              new Strike(
                  Duration.ofNanos(100),
                  Duration.ZERO,
                  "server",
                  NamedFault.losing(
                      "revocation", Duration.ZERO, Duration.ZERO, () -> {}, () -> {})),
              100,
              100));

  private static Event granted(long at, long attempt, String owner, Duration left) {
    return new Event.Granted(at, "p", attempt, "a", owner, attempt, left);
  }

  @Test
  void whatIsPassedOnWithinALostTenureProvesNothing() {
    Event first = granted(50, 1, "lost", LEFT);
    Event heir = granted(120, 2, "lost", LEFT);
    Event believed = new Event.Believed(130, "p", 2);
    assertEquals(
        List.of(first, granted(120, 2, "lost", Duration.ZERO)),
        Forsaken.without(new History(List.of(first, heir, believed)), STRUCK).events());
  }

  @Test
  void whatWasGrantedAnewStillProves() {
    Event next = granted(120, 1, "next", LEFT);
    Event believed = new Event.Believed(130, "p", 1);
    List<Event> kept = List.of(next, believed);
    assertEquals(kept, Forsaken.without(new History(kept), STRUCK).events());
  }
}
