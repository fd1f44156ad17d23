/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which waiters a message wakes, and which are told that others go first. */
class ReleaseChannelTest {

  private final ReleaseChannel channel = new ReleaseChannel();
  private final List<String> woken = new ArrayList<>();
  private final List<String> othersFirst = new ArrayList<>();

  ReleaseChannelTest() {
    for (String owner : List.of("a", "b")) {
      channel.waiters.put(
          owner,
          new ClaimSignals() {
            @Override
            public void wake() {
              woken.add(owner);
            }

            @Override
            public void othersFirst() {
              othersFirst.add(owner);
            }

            @Override
            public void lost(LossReason reason) {}
          });
    }
  }

  @Test
  void aMessageThatNamesNobodyWakesAll() {
    channel.told("the-one-that-released");
    assertEquals(List.of("a", "b"), woken);
    assertEquals(List.of(), othersFirst);
  }

  @Test
  void whoIsNamedIsWokenAlone() {
    channel.told("the-one-that-released b");
    assertEquals(List.of("b"), woken);
    assertEquals(List.of(), othersFirst);
  }

  @Test
  void allAreToldOfOneInAnotherClientThatGoesFirst() {
    channel.told("the-one-that-released of-another-client");
    assertEquals(List.of(), woken);
    assertEquals(List.of("a", "b"), othersFirst);
  }
}
