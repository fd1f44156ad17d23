/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.zookeeper.lock.ZooKeeperClaim;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A claim to a share, and how often it was told something. */
final class ShareAsker implements ClaimSignals {

  final AtomicInteger wakes = new AtomicInteger();
  final AtomicInteger losses = new AtomicInteger();
  final ZooKeeperClaim claim;

  ShareAsker(ZooKeeperBackend backend, ClaimRequest request) {
    this.claim = backend.claim(request, this);
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Override
  public void wake() {
    wakes.incrementAndGet();
  }

  @Override
  public void lost(LossReason reason) {
    losses.incrementAndGet();
  }

  long granted() {
    return assertInstanceOf(Attempt.Granted.class, join(claim.attempt())).token();
  }

  void contended() {
    assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
  }

  void freed() {
    assertEquals(ReleaseAnswer.FREED, join(claim.release()));
  }

  void woken(int times) {
    Conditions.until("woken", SOON, () -> wakes.get() >= times);
    assertEquals(times, wakes.get());
  }
}
