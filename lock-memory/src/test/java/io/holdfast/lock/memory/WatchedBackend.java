/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Hands everything on to the memory backend, and notes what is renewed and how claims end. */
final class WatchedBackend implements LockBackend<LockClaim> {

  /** What was asked for at a time, in milliseconds. */
  record Asked(long at, List<RenewalRequest<LockClaim>> requests) {}

  /** What its clock shows when times begin. */
  static final Duration BEGIN = Duration.ofHours(1);

  final List<Asked> asked = new ArrayList<>();
  final List<String> ends = new ArrayList<>();
  Function<LockClaim, Object> places = claim -> "one";
  Function<CompletionStage<List<RenewalAnswer>>, CompletionStage<List<RenewalAnswer>>> answers =
      given -> given;

  private final MemoryBackend inner;
  private final Capabilities.Lifetime lifetime;
  private final ManualTime time;

  WatchedBackend(MemoryBackend inner, Capabilities.Lifetime lifetime, ManualTime time) {
    this.inner = inner;
    this.lifetime = lifetime;
    this.time = time;
  }

  List<Long> times() {
    return asked.stream().map(Asked::at).toList();
  }

  List<Integer> sizes() {
    return asked.stream().map(one -> one.requests().size()).toList();
  }

  @Override
  public Capabilities capabilities() {
    Capabilities own = inner.capabilities();
    return new Capabilities(
        own.fencing(),
        lifetime,
        own.ordering(),
        own.wakeUp(),
        own.expiryClock(),
        own.scope(),
        own.survival(),
        own.inspection(),
        own.retention(),
        own.sharing());
  }

  @Override
  public Duration operationTimeout() {
    return inner.operationTimeout();
  }

  @Override
  public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
    LockClaim claim = inner.claim(request, signals);
    return new LockClaim() {
      @Override
      public CompletionStage<Attempt> attempt() {
        return claim.attempt();
      }

      @Override
      public CompletionStage<ReleaseAnswer> release() {
        ends.add("release");
        return claim.release();
      }

      @Override
      public CompletionStage<ReleaseAnswer> discard() {
        ends.add("discard");
        return claim.release();
      }

      @Override
      public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(claim) ? Optional.of(type.cast(claim)) : Optional.empty();
      }
    };
  }

  @Override
  public Object placeOf(LockClaim claim) {
    return places.apply(claim);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<LockClaim>> requests) {
    Duration now = Duration.ofNanos(time.nanos()).minus(BEGIN);
    asked.add(new Asked(now.toMillis(), List.copyOf(requests)));
    return answers.apply(
        inner.renew(
            requests.stream()
                .map(
                    one ->
                        new RenewalRequest<>(
                            one.claim().unwrap(RenewableClaim.class).orElseThrow(),
                            one.ttl(),
                            one.retryAfter()))
                .toList()));
  }

  @Override
  public void close() {
    inner.close();
  }
}
