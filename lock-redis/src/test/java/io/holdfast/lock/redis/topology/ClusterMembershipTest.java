/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.SetClock;
import io.lettuce.core.cluster.models.slots.ClusterSlotsParser;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which servers are believed to be the cluster. */
class ClusterMembershipTest {

  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final Duration SHORTLY = ClusterMembership.ABSENCE.minus(MOMENT);

  private final SetClock clock = new SetClock();
  private boolean reached;
  private final ClusterMembership membership =
      new ClusterMembership(Set.of("seed:1", "seed:2"), () -> reached, clock);

  private static ClusterView well(String... ids) {
    return new ClusterView(true, 1, List.of(), Set.of(ids));
  }

  private static ClusterView unwell(String... ids) {
    return new ClusterView(false, 1, List.of(), Set.of(ids));
  }

  private void assertRefused(String address, ClusterView view) {
    assertThrows(LockUnavailableException.class, () -> membership.admit(address, view), address);
  }

  @Test
  void untilThereIsAMapAllAreBelieved() {
    membership.admit("seed:1", well("x"));
    membership.take(unwell("y"));
    membership.admit("seed:2", well("z"));
  }

  @Test
  void aServerThatKnowsOneOfTheLastIsOneOfThem() {
    membership.take(well("a", "b"));
    membership.admit("other:1", well("b", "c"));
    membership.take(well("b", "c"));
    assertRefused("other:1", well("a", "d"));
    assertRefused("seed:1", well("x", "y"));
    assertRefused("seed:1", unwell());
  }

  @Test
  void serversThatAreReplacedByAndByAreFollowed() {
    membership.take(well("a", "b", "c"));
    membership.admit("seed:1", well("b", "c", "d"));
    membership.admit("seed:1", well("c", "d", "e"));
    membership.admit("seed:1", well("d", "e", "f"));
    membership.admit("seed:1", well("e", "f", "g"));
  }

  /** All slots may have moved to servers that are new, since a map was asked for last. */
  @Test
  void aServerWithoutSlotsIsKnownByItsOwnId() {
    var slots = ClusterSlotsParser.parse(List.of(List.of(0L, 16383L, List.of("h", 1L, "d"))));
    String info = "cluster_state:ok\r\ncluster_current_epoch:7\r\n";
    ClusterView moved = ClusterView.of(info, slots, Optional.of("a"));
    assertEquals(Set.of("a", "d"), moved.ids());
    membership.take(well("a", "b"));
    membership.admit("other:1", moved);
    membership.admit("other:2", well("d"));
    assertEquals(Set.of("d"), ClusterView.of(info, slots, Optional.empty()).ids());
    assertEquals(
        Set.of(),
        ClusterView.of(info, List.of(), Optional.of("a")).ids(),
        "who knows of no slots has left");
  }

  /** It may be cut off, or have left and kept its id. */
  @Test
  void aServerThatTakesNoRequestsMakesNobodyForgotten() {
    membership.take(well("a", "b"));
    membership.take(unwell("a"));
    membership.admit("other:1", well("b", "c"));
  }

  @Test
  void aClusterThatIsAllNewIsTakenAtASeedWhenTheFormerOneHasBeenAwayForAWhile() {
    membership.take(well("a", "b"));
    assertRefused("seed:1", well("x", "y"));
    clock.pass(SHORTLY);
    assertRefused("seed:1", well("x", "y"));
    clock.pass(MOMENT);
    assertRefused("other:1", well("x", "y"));
    assertRefused("seed:2", unwell("x", "y"));
    assertRefused("seed:2", well());
    membership.admit("seed:1", well("x", "y"));
    membership.admit("other:1", well("x", "y"));
    assertRefused("seed:1", well("a", "b"));
  }

  @Test
  void itIsNotTakenWhileAServerOfTheFormerOneIsReached() {
    membership.take(well("a", "b"));
    assertRefused("seed:1", well("x"));
    reached = true;
    clock.pass(ClusterMembership.ABSENCE);
    assertRefused("seed:1", well("x"));
    reached = false;
    assertRefused("seed:1", well("x"));
    clock.pass(SHORTLY);
    membership.admit("seed:2", well("a"));
    clock.pass(MOMENT);
    assertRefused("seed:1", well("x"));
  }
}
