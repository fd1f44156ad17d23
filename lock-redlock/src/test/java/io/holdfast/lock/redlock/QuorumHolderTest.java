/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.node.KeyHolder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the answers of a quorum of five, and those that it cannot give. */
class QuorumHolderTest {

  private final QuorumHolder quorum = new QuorumHolder(5);

  @Test
  void aQuorumNamesTheHolder() {
    has("a", 300);
    has("a", 100);
    assertEquals(Optional.empty(), quorum.holder());
    assertFalse(quorum.isFree());
    has("a", 200);
    assertEquals(
        Optional.of(new KeyHolder("a", Optional.of(Duration.ofMillis(100)))), quorum.holder());
  }

  @Test
  void theLockIsAsLongAsTheQuorumLasts() {
    has("a", 100);
    quorum.answered(Optional.of(new KeyHolder("a", Optional.empty())));
    has("a", 400);
    has("a", 300);
    assertEquals(
        Optional.of(new KeyHolder("a", Optional.of(Duration.ofMillis(300)))), quorum.holder());
  }

  @Test
  void aQuorumWithoutATtlStaysForEver() {
    for (int node = 0; node < 3; node++) {
      quorum.answered(Optional.of(new KeyHolder("a", Optional.empty())));
    }
    assertEquals(Optional.of(new KeyHolder("a", Optional.empty())), quorum.holder());
  }

  @Test
  void aMinorityHoldsNothing() {
    has("a", 100);
    has("b", 100);
    quorum.answered(Optional.empty());
    assertFalse(quorum.isFree(), "two more may be a's");
    quorum.answered(Optional.empty());
    assertTrue(quorum.isFree());
  }

  @Test
  void anUnreachableNodeMayHaveIt() {
    has("a", 100);
    quorum.answered(Optional.empty());
    quorum.answered(Optional.empty());
    away();
    assertFalse(quorum.isComplete());
    away();
    assertTrue(quorum.isComplete());
    assertFalse(quorum.isFree());
    assertEquals(Optional.empty(), quorum.holder());
  }

  @Test
  void aMinorityThatIsAwayMakesNoDifference() {
    away();
    away();
    quorum.answered(Optional.empty());
    quorum.answered(Optional.empty());
    assertFalse(quorum.isFree(), "nobody can tell three that may have it from none");
    quorum.answered(Optional.empty());
    assertTrue(quorum.isFree());
  }

  private void has(String owner, long millis) {
    quorum.answered(Optional.of(new KeyHolder(owner, Optional.of(Duration.ofMillis(millis)))));
  }

  private void away() {
    quorum.failed(new LockUnavailableException("away"));
  }
}
