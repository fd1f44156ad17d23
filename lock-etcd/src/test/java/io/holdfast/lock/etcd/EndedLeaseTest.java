/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.Status;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.spi.Attempt;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A claim that joins a queue has to move to another lease, which has ended. */
class EndedLeaseTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  /** It would wait behind the key that it has there, until the lease of that one has ended. */
  @Test
  void itDoesNotJoinAgain() {
    MovesToNowhere moves = new MovesToNowhere();
    try (ClaimHarness scene = new ClaimHarness(TTL, moves)) {
      EtcdClaim claim = scene.another("asked-again", TTL);
      firstPutIsNotAnswered(claim, scene);
      CompletionException refused =
          assertThrows(CompletionException.class, () -> join(claim.attempt()));
      assertInstanceOf(LockUnavailableException.class, refused.getCause());
      assertEquals(1, keys(scene));
      moves.end();
      assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
      join(claim.release());
      assertEquals(0, keys(scene));
    }
  }

  /** So its lease does not have the full time before it when the put is sent again. */
  private static void firstPutIsNotAnswered(EtcdClaim claim, ClaimHarness scene) {
    ServerLease lease =
        join(
            new Leases(scene.connection, scene.keys.base(), scene.time)
                .grant(Leases.seconds(TTL), scene.connection.deadline()));
    claim.key().joining(lease);
    claim.key().joinAnswered(Status.UNAVAILABLE.asRuntimeException());
    scene.time.pass(TTL.dividedBy(2));
  }

  private static long keys(ClaimHarness scene) {
    return scene.harness.keys().stream().filter(key -> key.contains("/asked-again/")).count();
  }
}
