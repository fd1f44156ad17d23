/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests in which order contestants have their turns. */
class PlanTest {

  private static final int BLOCKS = 20;

  private static Plan plan(long seed) {
    return Arguments.parse("--seed=" + seed).plan();
  }

  private static List<List<Integer>> orders(long seed, int contestants) {
    List<Integer> all = IntStream.range(0, contestants).boxed().toList();
    return IntStream.range(0, BLOCKS * contestants)
        .mapToObj(round -> plan(seed).order(round, all))
        .toList();
  }

  @Test
  void eachContestantHasEachPlaceAsOftenAsAnyOther() {
    for (long seed = 0; seed < 5; seed++) {
      for (int contestants = 1; contestants < 6; contestants++) {
        for (int place = 0; place < contestants; place++) {
          int here = place;
          Map<Integer, Long> counts =
              orders(seed, contestants).stream()
                  .collect(Collectors.groupingBy(order -> order.get(here), Collectors.counting()));
          Map<Integer, Long> even =
              IntStream.range(0, contestants)
                  .boxed()
                  .collect(Collectors.toMap(Function.identity(), each -> (long) BLOCKS));
          assertEquals(even, counts);
        }
      }
    }
  }

  @Test
  void theFirstContestantIsDrawnAgainAndAgain() {
    long begun =
        IntStream.range(0, BLOCKS).filter(block -> orders(1, 2).get(2 * block).get(0) == 0).count();
    assertTrue(begun > 0 && begun < BLOCKS, "who begins first: " + begun);
  }

  @Test
  void theSeedDecides() {
    assertEquals(orders(7, 4), orders(7, 4));
    assertNotEquals(orders(7, 4), orders(8, 4));
  }

  @Test
  void warmUpHasAnOrderToo() {
    assertEquals(2, plan(1).order(-1, List.of("a", "b")).size());
    assertEquals(List.of(), plan(1).order(0, List.of()));
  }
}
