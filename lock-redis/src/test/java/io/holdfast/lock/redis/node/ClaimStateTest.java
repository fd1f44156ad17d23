/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.SetClock;
import io.lettuce.core.api.StatefulRedisConnection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests when a release is final, what it says of a request that got no answer, and who may be named
 * by one.
 */
class ClaimStateTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final SetClock clock = new SetClock();
  private final ClaimState state = new ClaimState(clock);

  private final CommandConnection line = line();

  /** Of a user who may not kill connections, say. */
  @SuppressWarnings("unchecked")
  private static CommandConnection line() {
    Object connection =
        Proxy.newProxyInstance(
            ClaimStateTest.class.getClassLoader(),
            new Class<?>[] {StatefulRedisConnection.class},
            (proxy, method, arguments) -> null);
    return new CommandConnection(
        (StatefulRedisConnection<String, String>) connection, Optional.empty(), Optional.empty());
  }

  private boolean settled(boolean ours) {
    return state.settled(ours ? LockCalls.Freed.OURS : LockCalls.Freed.NOT_OURS, TTL, "Releasing");
  }

  private void assertOpen(boolean ours) {
    assertThrows(LockUnavailableException.class, () -> settled(ours));
    assertTrue(state.mayBeHere());
  }

  @Test
  void aReleaseIsNotFinalBeforeTheLostRequestHasEnded() {
    state.unanswered(line);
    clock.pass(TTL);
    assertOpen(false);
    clock.pass(Duration.ofNanos(1));
    assertFalse(settled(false));
    assertFalse(state.mayBeHere());
  }

  @Test
  void itIsFinalAtOnceIfTheConnectionOfTheLostRequestIsDead() {
    state.unanswered(line);
    line.dead = true;
    assertTrue(settled(true));
    assertFalse(state.mayBeHere());
  }

  @Test
  void itIsNotFinalWhileOneOfSeveralLostRequestsMayArrive() {
    CommandConnection next = line();
    state.unanswered(line);
    state.unanswered(next);
    line.dead = true;
    assertOpen(false);
    next.dead = true;
    assertFalse(settled(false));
  }

  /** It is asked again, and finds nothing then. */
  @Test
  void aReleaseThatHasFreedTheLockSaysSoWhenItIsFinal() {
    state.answered(new ClaimAnswer.Taken(7), false);
    state.unanswered(line);
    assertOpen(true);
    clock.pass(TTL.plusNanos(1));
    assertTrue(settled(false), "the lock was freed by the first request");
    state.unanswered(line);
    line.dead = true;
    assertFalse(settled(false), "what was freed before is told once");
  }

  @Test
  void oneThatIsRefusedMayBeHereIfItQueuesOrHasALostRequest() {
    ClaimAnswer refused = new ClaimAnswer.Refused("other", Optional.of(TTL));
    assertEquals(refused, state.answered(refused, false));
    assertFalse(state.mayBeHere());
    state.answered(refused, true);
    assertTrue(state.mayBeHere());
    state.answered(new ClaimAnswer.OtherCapacity(3), true);
    assertTrue(state.mayBeHere(), "its place in the queue stays");
    state.answered(refused, false);
    assertFalse(state.mayBeHere());
    state.unanswered(line);
    state.answered(refused, false);
    assertTrue(state.mayBeHere());
  }

  @Test
  void aWaiterMayBeNamedUntilItHasTheLockOrGivesUp() {
    assertFalse(state.endNaming());
    state.willBeNamed();
    state.answered(new ClaimAnswer.Refused("other", Optional.of(TTL)), false);
    assertTrue(state.mayBeNamed());
    assertTrue(state.endNaming());
    assertFalse(state.mayBeNamed());
    state.willBeNamed();
    state.answered(new ClaimAnswer.Taken(7), false);
    assertFalse(state.mayBeNamed());
  }

  @Test
  void itIsTheTurnOfOthersIfTheLastReleaseToldOneToAsk() {
    state.answered(new ClaimAnswer.Taken(7), false);
    assertFalse(state.isOthersTurn());
    assertTrue(state.settled(LockCalls.Freed.OTHERS_FIRST, TTL, "Releasing"));
    assertTrue(state.isOthersTurn());
    assertFalse(settled(false));
    assertFalse(state.isOthersTurn());
  }
}
