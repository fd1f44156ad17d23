/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A claim to a share, and how often it was told to look again. */
final class ShareAsker implements ClaimSignals {

  private static final Duration QUIET = Duration.ofMillis(400);

  final AtomicInteger woken = new AtomicInteger();
  final String owner;
  final EtcdClaim claim;

  ShareAsker(EtcdBackend backend, ClaimRequest request) {
    this.owner = request.ownerId();
    this.claim = backend.claim(request, this);
  }

  static <T> T answer(CompletionStage<T> stage) throws Exception {
    return get(stage.toCompletableFuture());
  }

  @Override
  public void wake() {
    woken.incrementAndGet();
  }

  @Override
  public void lost(LossReason reason) {}

  Attempt ask() throws Exception {
    return answer(claim.attempt());
  }

  long granted() throws Exception {
    return assertInstanceOf(Attempt.Granted.class, ask()).token();
  }

  ShareAsker waits() throws Exception {
    assertInstanceOf(Attempt.Contended.class, ask());
    return this;
  }

  long wokenAndGranted() throws Exception {
    until(owner + " is woken", () -> woken.get() > 0);
    return granted();
  }

  void isLeftAlone() {
    Conditions.stays(owner + " is left alone", QUIET, () -> woken.get() == 0);
  }

  void release() throws Exception {
    assertEquals(ReleaseAnswer.FREED, answer(claim.release()));
  }

  LockCapacityException refused() {
    ExecutionException failure = assertThrows(ExecutionException.class, this::ask);
    return assertInstanceOf(LockCapacityException.class, failure.getCause());
  }
}
