/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Passes everything on to a backend in memory. */
class ForwardingBackend implements LockBackend<RenewableClaim> {

  private final MemoryBackend inner;

  ForwardingBackend(MemoryServer server) {
    this.inner = (MemoryBackend) server.backend();
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
  public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
    return inner.claim(request, signals);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RenewableClaim>> requests) {
    return inner.renew(requests);
  }

  @Override
  public void close() {
    inner.close();
  }

  /** Passes on what every claim does. */
  static class Claim implements RenewableClaim {

    final RenewableClaim inner;

    Claim(RenewableClaim inner) {
      this.inner = inner;
    }

    @Override
    public CompletionStage<Attempt> attempt() {
      return inner.attempt();
    }

    @Override
    public CompletionStage<ReleaseAnswer> release() {
      return inner.release();
    }

    @Override
    public boolean renew(Duration ttl) {
      return inner.renew(ttl);
    }
  }
}
