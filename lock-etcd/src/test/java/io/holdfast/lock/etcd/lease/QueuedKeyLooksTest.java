/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A look at a key tells its lease. All its leases are revoked when its place is lost. */
class QueuedKeyLooksTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final ServerLease first = new ServerLease(7, 10, TTL, 3, 0);
  private final ServerLease second = new ServerLease(8, 10, TTL, 4, 0);
  private final QueuedKey.Place joined = new QueuedKey.Place(first, 71);
  private final QueuedKey key = JoinedKey.on(joined, () -> 0);

  private static RangeResponse look(long created, long modified, ServerLease on) {
    return RangeResponse.newBuilder()
        .addKvs(
            KeyValue.newBuilder()
                .setCreateRevision(created)
                .setModRevision(modified)
                .setLease(on.id))
        .build();
  }

  @Test
  void aKeyThatIsGoneOrAnothersIsNotFound() {
    assertEquals(Optional.empty(), key.found(RangeResponse.getDefaultInstance()));
    assertEquals(Optional.empty(), key.found(look(72, 72, first)));
    assertEquals(Optional.of(joined), key.found(look(71, 71, first)));
    assertEquals(71, key.revision());
  }

  /** The answer to the move was lost. */
  @Test
  void aLookTellsThatTheKeyWasMoved() {
    key.moving(joined, second, key.generation(), false);
    assertEquals(Optional.of(second), key.target());
    QueuedKey.Place moved = new QueuedKey.Place(second, 72);
    assertEquals(Optional.of(moved), key.found(look(71, 72, second)));
    assertEquals(Optional.empty(), key.target());
    assertEquals(List.of(first), key.freed());
    assertEquals(List.of(), key.freed(), "each is told once");
    assertEquals(Optional.of(moved), key.found(look(71, 71, first)), "an older look");
    assertEquals(second, key.lease());
  }

  /** Somebody else has put it. */
  @Test
  void aKeyOnALeaseThatIsNotOursIsNotFound() {
    assertEquals(Optional.empty(), key.found(look(71, 72, second)));
    assertEquals(Optional.of(joined), key.place());
  }

  @Test
  void afterTheEndWasSentNothingIsFound() {
    key.end();
    assertEquals(Optional.empty(), key.found(look(71, 71, first)));
  }

  @Test
  void aFormerLeaseIsNotFreeWhileAnUnansweredPutMayNameIt() {
    key.joinAnswered(Status.UNAVAILABLE.asRuntimeException());
    key.moving(joined, second, key.generation(), false);
    key.moved(second, 72);
    assertEquals(List.of(), key.freed());
    assertEquals(List.of(second, first), key.leases());
  }

  @Test
  void allLeasesOfALostPlaceAreRevoked() {
    key.joinAnswered(Status.UNAVAILABLE.asRuntimeException());
    key.moving(joined, second, key.generation(), false);
    assertEquals(List.of(first, second), key.placeLost());
    assertEquals(0, key.revision());
    assertEquals(Optional.empty(), key.place());
    assertEquals(Optional.empty(), key.target());
    assertEquals(List.of(first, second), key.leases(), "until they are revoked");
    key.placeCleared();
    assertEquals(List.of(), key.leases());
    assertFalse(key.end().uncertain());
  }

  @Test
  void aLeaseThatEtcdDoesNotHaveIsNotThatOfTheKey() {
    key.joinAnswered(
        Status.NOT_FOUND.withDescription("requested lease not found").asRuntimeException());
    assertEquals(Optional.empty(), key.withdrawn());
    assertEquals(List.of(), key.leases());
  }

  @Test
  void theLeaseThatTheKeyIsLeftToIsNotGivenBack() {
    assertEquals(Optional.empty(), key.last());
    assertFalse(key.isLeaving());
    key.moving(joined, second, key.leaving(), true);
    key.moved(second, 72);
    key.leftTo(second);
    assertTrue(key.isLeaving());
    assertEquals(Optional.of(second), key.last());
    assertEquals(List.of(first), key.leases());
    assertTrue(key.end().sentBefore());
  }
}
