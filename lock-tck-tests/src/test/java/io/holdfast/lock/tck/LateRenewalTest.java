/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renewal that reaches the memory backend behind a release which keeps the name taken. */
class LateRenewalTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LATE = Duration.ofMillis(5);

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneBehindAReleaseDoesNotProlongTheName(int capacity) {
    prolongsNothing(server.backend(), capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void norDoesOneBehindAReleaseThatIsLate(int capacity) {
    server.delayRequests(LATE);
    prolongsNothing(server.backend(), capacity);
  }

  private <C extends LockClaim> void prolongsNothing(LockBackend<C> backend, int capacity) {
    C claim = claim(backend, "owner-1", capacity);
    assertInstanceOf(Attempt.Granted.class, answer(claim.attempt()));
    CompletionStage<ReleaseAnswer> release = claim.release(SECOND);
    CompletionStage<List<RenewalAnswer>> renewal =
        backend.renew(List.of(new RenewalRequest<>(claim, HOUR, SECOND)));
    assertEquals(ReleaseAnswer.FREED, answer(release));
    assertEquals(List.of(new RenewalAnswer.Lost(LossReason.REVOKED)), answer(renewal));
    C next = claim(backend, "owner-2", capacity);
    assertInstanceOf(Attempt.Contended.class, answer(next.attempt()));
    time.advance(SECOND);
    assertInstanceOf(Attempt.Granted.class, answer(next.attempt()));
  }

  /** All permits, so that it is like a lock. */
  private static <C extends LockClaim> C claim(LockBackend<C> backend, String owner, int capacity) {
    Duration ttl = Duration.ofMinutes(2);
    return backend.claim(
        new ClaimRequest("a", owner, ttl, Share.of(capacity, capacity)), new Deaf());
  }

  private <T> T answer(CompletionStage<T> stage) {
    time.advance(LATE);
    return stage.toCompletableFuture().join();
  }

  private static final class Deaf implements ClaimSignals {
    @Override
    public void wake() {}

    @Override
    public void lost(LossReason reason) {}
  }
}
