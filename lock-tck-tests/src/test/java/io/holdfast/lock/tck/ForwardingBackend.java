/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Passes everything on; a faulty backend overrides one of its methods. */
class ForwardingBackend implements LockBackend<ForwardingBackend.Claim> {

  final LockBackend<LockClaim> inner;

  /** Hands on to {@code inner} what it has made itself. */
  @SuppressWarnings("unchecked")
  ForwardingBackend(LockBackend<?> inner) {
    this.inner = (LockBackend<LockClaim>) inner;
  }

  @Override
  public Capabilities capabilities() {
    return inner.capabilities();
  }

  @Override
  public Duration operationTimeout() {
    return inner.operationTimeout();
  }

  @Override
  public Claim claim(ClaimRequest request, ClaimSignals signals) {
    return new Claim(inner.claim(request, signals), request);
  }

  CompletionStage<Attempt> attempt(Claim claim) {
    return claim.inner.attempt();
  }

  CompletionStage<ReleaseAnswer> release(Claim claim) {
    return claim.inner.release();
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<Claim>> requests) {
    List<RenewalRequest<LockClaim>> passed = new ArrayList<>();
    for (RenewalRequest<Claim> request : requests) {
      passed.add(
          new RenewalRequest<>(request.claim().inner, request.ttl(), request.answerTimeout()));
    }
    return inner.renew(passed);
  }

  @Override
  public Optional<LockInspection> inspection() {
    return inner.inspection();
  }

  @Override
  public void close() {
    inner.close();
  }

  /** Passes everything on by way of its backend. */
  class Claim implements LockClaim {

    final LockClaim inner;
    final ClaimRequest request;

    Claim(LockClaim inner, ClaimRequest request) {
      this.inner = inner;
      this.request = request;
    }

    @Override
    public CompletionStage<Attempt> attempt() {
      return ForwardingBackend.this.attempt(this);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release() {
      return ForwardingBackend.this.release(this);
    }
  }

  /** Passes everything on. */
  static class Inspection implements LockInspection {

    final LockInspection inner;

    Inspection(LockInspection inner) {
      this.inner = inner;
    }

    @Override
    public CompletionStage<Optional<LockHolder>> holder(String lockName) {
      return inner.holder(lockName);
    }

    @Override
    public CompletionStage<Set<String>> names() {
      return inner.names();
    }

    @Override
    public CompletionStage<Boolean> evict(LockHolder holder) {
      return inner.evict(holder);
    }
  }
}
