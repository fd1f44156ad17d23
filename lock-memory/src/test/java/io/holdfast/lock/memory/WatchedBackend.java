/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.testsupport.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Hands everything on to the memory backend, and notes what is renewed and how claims end. */
final class WatchedBackend extends ForwardingBackend {

  /** The requests at a time, in milliseconds. */
  record Asked(long at, List<RenewalRequest<RenewableClaim>> requests) {}

  /** The first time of its clock. */
  static final Duration BEGIN = Duration.ofHours(1);

  final List<Asked> asked = new ArrayList<>();
  final List<String> ends = new ArrayList<>();

  /** One, as of every backend that does not say otherwise. */
  Function<RenewableClaim, Object> places = super::placeOf;

  Function<CompletionStage<List<RenewalAnswer>>, CompletionStage<List<RenewalAnswer>>> answers =
      given -> given;

  /** How the server answers to the end of a claim. */
  Function<RenewableClaim, CompletionStage<ReleaseAnswer>> releases = RenewableClaim::release;

  /** The way in which a lock is kept after its lease. */
  Capabilities.Retention retention = super.capabilities().retention();

  private final Capabilities.Lifetime lifetime;
  private final ManualTime time;

  WatchedBackend(MemoryServer server, Capabilities.Lifetime lifetime, ManualTime time) {
    super(server);
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
    return Records.with(super.capabilities(), lifetime, retention);
  }

  @Override
  public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new Claim(super.claim(request, signals)) {
      @Override
      public CompletionStage<ReleaseAnswer> release() {
        ends.add("release");
        return releases.apply(inner);
      }

      @Override
      public CompletionStage<ReleaseAnswer> discard() {
        ends.add("discard");
        return releases.apply(inner);
      }
    };
  }

  @Override
  public Object placeOf(RenewableClaim claim) {
    return places.apply(claim);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RenewableClaim>> requests) {
    Duration now = Duration.ofNanos(time.nanos()).minus(BEGIN);
    asked.add(new Asked(now.toMillis(), List.copyOf(requests)));
    return answers.apply(super.renew(requests));
  }
}
