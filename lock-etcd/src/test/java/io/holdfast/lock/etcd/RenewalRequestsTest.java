/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests in which order a renewal asks, and what it believes. */
class RenewalRequestsTest {

  /** So that the stock of leases is not looked at meanwhile. */
  private static final Duration TTL = Duration.ofMinutes(2);

  /** A read that is older than the keep-alive does not show whose word that was. */
  @Test
  void keysAreReadWhenTheirLeasesHaveBeenKeptAlive() {
    DelayedAnswers keptAlive = DelayedAnswers.keepAlives();
    BeforeCall read = BeforeCall.transaction();
    try (ClaimHarness scene = new ClaimHarness(TTL, keptAlive, read)) {
      read.take(() -> {});
      CompletableFuture<RenewalAnswer> renewal = scene.renew(TTL);
      keptAlive.reached.join();
      assertFalse(read.isTaken());
      keptAlive.release.complete(null);
      assertInstanceOf(RenewalAnswer.Extended.class, join(renewal));
      assertTrue(read.isTaken());
    }
  }

  /** One of the two answers is old. The lease ends, for all that is known. */
  @Test
  void aLeaseThatHasEndedThoughItsKeyIsThereIsNotCountedOn() {
    ChangedAnswers<LeaseKeepAliveResponse> keptAlive =
        new ChangedAnswers<>(LeaseGrpc.getLeaseKeepAliveMethod());
    try (ClaimHarness scene = new ClaimHarness(TTL, keptAlive)) {
      // The key moves to another lease, as the term was not known when this one was granted.
      assertInstanceOf(RenewalAnswer.Extended.class, join(scene.renew(TTL)));
      keptAlive.change(answer -> answer.toBuilder().setTTL(0).build());
      assertInstanceOf(RenewalAnswer.Unknown.class, join(scene.renew(TTL)));
      keptAlive.end();
      assertInstanceOf(RenewalAnswer.Extended.class, join(scene.renew(TTL)));
    }
  }

  /** Otherwise each renewal would have the next one ask another member, over another stream. */
  @Test
  void anAnswerInTimeIsNotTakenForSilence() {
    Duration answerTimeout = Duration.ofMinutes(5);
    try (ClaimHarness scene = new ClaimHarness(TTL)) {
      RenewalAnswer answer =
          join(scene.backend.renew(List.of(new RenewalRequest<>(scene.claim, TTL, answerTimeout))))
              .get(0);
      assertEquals(new RenewalAnswer.Extended(TTL), answer);
      until("nothing waits for its end", () -> !scene.time.isWaitingFor(answerTimeout));
    }
  }
}
