/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Claims of shares without an engine: the tests ask again by themselves. */
abstract class TableClaimsTestBase {

  static final Duration TTL = Duration.ofSeconds(20);
  static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {
          // These tests ask again by themselves.
        }

        @Override
        public void lost(LossReason reason) {
          // A table tells no loss by itself.
        }
      };

  /** Waits for a name, and counts how often it is told. */
  static final class Waiter implements ClaimSignals {

    private final AtomicInteger told = new AtomicInteger();

    @Override
    public void wake() {
      told.incrementAndGet();
    }

    /** Of two that wait, one is told to ask, and the other to leave it a moment. */
    @Override
    public void othersFirst() {
      told.incrementAndGet();
    }

    @Override
    public void lost(LossReason reason) {
      throw new AssertionError(reason);
    }

    void isToldOf(String what, Runnable step) {
      assertEquals(0, told.get(), "before " + what);
      step.run();
      PostgresHarness.await(what, () -> told.get() > 0);
    }
  }

  final PostgresHarness scene = new PostgresHarness().withSchema();
  private final AtomicInteger owners = new AtomicInteger();

  @AfterEach
  void close() {
    scene.close();
  }

  LockBackend<?> backend(String... more) {
    return scene.closing(
        new TableLockProvider().open(new Settings("postgres-table", patient(more))));
  }

  /** Nothing here is to fail as a busy machine takes its time, unless a test asks for that. */
  Map<String, String> patient(String... more) {
    Map<String, String> settings = scene.settings(more);
    settings.putIfAbsent("command-timeout", "20s");
    return settings;
  }

  LockClaim claim(LockBackend<?> backend, String name, Share share) {
    return claim(backend, name, share, TTL);
  }

  LockClaim claim(LockBackend<?> backend, String name, Share share, Duration ttl) {
    return claim(backend, name, share, ttl, DEAF);
  }

  LockClaim claim(
      LockBackend<?> backend, String name, Share share, Duration ttl, ClaimSignals signals) {
    return backend.claim(
        new ClaimRequest(name, "owner-" + owners.incrementAndGet(), ttl, share), signals);
  }

  /** One that does not wait. */
  LockClaim trying(LockBackend<?> backend, String name, Share share) {
    return backend.claim(
        new ClaimRequest(name, "owner-" + owners.incrementAndGet(), TTL, share, false), DEAF);
  }

  static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** Asks again where there was no answer in a short time-out. */
  static void acquire(LockClaim claim) {
    PostgresHarness.await(
        "a grant",
        () -> get(claim.attempt().handle((answer, failure) -> answer instanceof Attempt.Granted)));
  }

  static boolean isGranted(LockClaim claim) {
    return get(claim.attempt()) instanceof Attempt.Granted;
  }

  static long token(LockClaim claim) {
    return assertInstanceOf(Attempt.Granted.class, get(claim.attempt())).token();
  }

  static RenewalAnswer renewed(LockBackend<?> backend, LockClaim claim) {
    return renewed(backend, claim, TTL);
  }

  static RenewalAnswer renewed(LockBackend<?> backend, LockClaim claim, Duration ttl) {
    return renewed(backend, List.of(claim), ttl).get(0);
  }

  static List<RenewalAnswer> renewed(LockBackend<?> backend, List<LockClaim> claims) {
    return renewed(backend, claims, TTL);
  }

  /** The claims are ones that the backend has made. */
  @SuppressWarnings("unchecked")
  private static List<RenewalAnswer> renewed(
      LockBackend<?> backend, List<LockClaim> claims, Duration ttl) {
    LockBackend<LockClaim> known = (LockBackend<LockClaim>) backend;
    return get(
        known.renew(claims.stream().map(claim -> new RenewalRequest<>(claim, ttl, ttl)).toList()));
  }
}
