/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.tck.history.GeneratedShares.Fault;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The checker finds out servers that break what they promise of shares, and accuses no other. */
class FaultyShareHistoriesTest {

  private static final int SEEDS = 20;

  private static final List<Share> READERS_AND_A_WRITER =
      List.of(Share.READ, Share.READ, Share.READ, Share.WRITE, Share.READ);

  /** The second waits for two of three while the first goes on with one. */
  private static final List<Share> PERMITS =
      List.of(Share.of(1, 3), Share.of(2, 3), Share.of(2, 3));

  private static void everySeed(Fault fault, List<Share> shares, Kind by) {
    LongStream.rangeClosed(1, SEEDS)
        .forEach(
            seed -> {
              List<Kind> found = GeneratedShares.of(fault, seed, shares).found();
              assertTrue(found.contains(by), () -> "seed " + seed + ": " + found);
              assertEquals(
                  List.of(),
                  GeneratedShares.of(Fault.NONE, seed, shares).found(),
                  () -> "truthful, seed " + seed);
            });
  }

  @Test
  void aPermitThatLeaksAtAKill() {
    everySeed(Fault.LEAKS_AT_A_KILL, PERMITS, Kind.STUCK);
  }

  @Test
  void aReaderThatSlipsPastAWriter() {
    everySeed(Fault.READERS_SLIP_IN, READERS_AND_A_WRITER, Kind.OVERLAP);
  }

  @Test
  void aWriterThatStarves() {
    everySeed(Fault.WRITER_STARVES, READERS_AND_A_WRITER, Kind.STARVED);
  }

  @Test
  void aCapacityThatChanges() {
    everySeed(Fault.CAPACITY_CHANGES, PERMITS, Kind.TWO_CAPACITIES);
  }
}
