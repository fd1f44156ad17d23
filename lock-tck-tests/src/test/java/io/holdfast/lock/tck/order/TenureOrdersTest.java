/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import static io.holdfast.lock.tck.order.Step.ACQUIRE;
import static io.holdfast.lock.tck.order.Step.END_EARLIER;
import static io.holdfast.lock.tck.order.Step.END_FAILS;
import static io.holdfast.lock.tck.order.Step.EXTEND;
import static io.holdfast.lock.tck.order.Step.RELEASE;
import static io.holdfast.lock.tck.order.Step.REQUEST_ARRIVES;
import static io.holdfast.lock.tck.order.Step.TAKEN_AWAY;
import static io.holdfast.lock.tck.order.Step.TIME_PASSES;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All orders in which a few things may happen to a lease: its renewals are due, and answered in any
 * order or not at all; it is extended, told to end earlier, taken away, released, and handed on;
 * time passes, and the client is closed. Each order is tried by itself, on a clock driven by hand
 * and a server that answers when it is told to, and each step is judged ({@link Holder}, {@link
 * ScriptedServer}). So what is found here is found each time.
 *
 * <p>How far the orders go from each beginning grows with the system property {@code
 * holdfast.interleavings}, as does the number of longer ones that are drawn. Steps of several
 * threads at once are tried by the {@code TenureInterleavingsTest} of {@code lock-memory}.
 *
 * <p>Faults that are found are in {@code src/test/mutants/order.mutants}.
 */
class TenureOrdersTest {

  private static final List<Terms> TERMS = List.of(Terms.values());
  private static final int TIMES = Integer.getInteger("holdfast.interleavings", 1);
  private static final int STEPS = 3 + (TIMES < 10 ? 0 : 1) + (TIMES < 200 ? 0 : 1);
  private static final int DRAWN = 4_000;
  private static final int DRAWN_STEPS = 12;

  /** Of the steps after which little happens, so many that are drawn are drawn again. */
  private static final int RELUCTANCE = 6;

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void everyOrderOfALeaseThatIsRenewed() {
    for (List<Step> beginning :
        List.<List<Step>>of(
            List.of(),
            List.of(TIME_PASSES),
            List.of(TIME_PASSES, TIME_PASSES),
            List.of(EXTEND, TIME_PASSES),
            List.of(ACQUIRE, TIME_PASSES),
            List.of(ACQUIRE, EXTEND),
            List.of(TIME_PASSES, RELEASE),
            List.of(TIME_PASSES, REQUEST_ARRIVES, TAKEN_AWAY, TIME_PASSES))) {
      explore(Terms.RENEWED, beginning, STEPS);
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void everyOrderOfALeaseOfFixedTime() {
    for (List<Step> beginning :
        List.<List<Step>>of(
            List.of(),
            List.of(EXTEND),
            List.of(EXTEND, EXTEND),
            List.of(EXTEND, END_EARLIER),
            List.of(END_EARLIER, END_FAILS),
            List.of(END_EARLIER, REQUEST_ARRIVES, EXTEND),
            List.of(ACQUIRE, END_EARLIER),
            List.of(ACQUIRE, RELEASE))) {
      explore(Terms.FIXED, beginning, STEPS);
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void everyOrderOfALeaseOfFixedTimeOnASession() {
    for (List<Step> beginning :
        List.<List<Step>>of(
            List.of(),
            List.of(TIME_PASSES, TIME_PASSES),
            List.of(TIME_PASSES, END_EARLIER),
            List.of(EXTEND, TIME_PASSES),
            List.of(EXTEND, END_EARLIER))) {
      explore(Terms.FIXED_ON_SESSION, beginning, STEPS);
    }
  }

  /** Longer ones, some of them with nobody who looks at the leases after each step. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void longOrders() {
    for (int seed = 0; seed < DRAWN * TIMES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      boolean looks = random.nextBoolean();
      Terms terms = TERMS.get(random.nextInt(TERMS.size()));
      TenureScene scene = new TenureScene(terms);
      List<Step> path = new ArrayList<>();
      for (int i = 0; i < DRAWN_STEPS; i++) {
        Step step = draw(scene, random);
        path.add(step);
        scene.take(step, looks || random.nextInt(4) == 0);
        assertKept(scene, path, terms + ", seed " + seed);
      }
      scene.end();
      assertKept(scene, path, "the end, " + terms + ", seed " + seed);
    }
  }

  private static Step draw(TenureScene scene, SplittableRandom random) {
    List<Step> possible = scene.possible();
    Step drawn = possible.get(random.nextInt(possible.size()));
    boolean ends = drawn == Step.CLOSE || drawn == Step.SUSPENDED || drawn == Step.TAKEN_AWAY;
    return ends && random.nextInt(RELUCTANCE) != 0
        ? possible.get(random.nextInt(possible.size()))
        : drawn;
  }

  /** Each beginning has an end of its own, too. */
  private static void explore(Terms terms, List<Step> path, int more) {
    TenureScene scene = new TenureScene(terms);
    for (Step step : path) {
      assertTrue(step.isPossible(scene), () -> step + " is not possible in " + path);
      scene.take(step, true);
    }
    assertKept(scene, path, "the last");
    List<Step> next = more == 0 ? List.of() : scene.possible();
    scene.end();
    assertKept(scene, path, "the end");
    for (Step step : next) {
      List<Step> longer = new ArrayList<>(path);
      longer.add(step);
      explore(terms, longer, more - 1);
    }
  }

  private static void assertKept(TenureScene scene, List<Step> path, String when) {
    assertTrue(scene.broken().isEmpty(), () -> scene.broken() + " after " + path + ", " + when);
  }
}
