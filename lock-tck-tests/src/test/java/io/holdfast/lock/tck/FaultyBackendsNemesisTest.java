/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.tck.history.Violation;
import io.holdfast.lock.tck.nemesis.Nemesis;
import io.holdfast.lock.tck.nemesis.NemesisReport;
import io.holdfast.lock.tck.nemesis.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the nemesis: faulty backends are found out, each by what it does wrong. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("other-jdk")
class FaultyBackendsNemesisTest {

  private static final Profile PROFILE = Profile.FULL.withLength(Duration.ofSeconds(20));

  @TempDir Path directory;

  private void caught(
      String liar, Violation.Kind by, BiFunction<LockBackend<?>, MemoryServer, LockBackend<?>> lie)
      throws InterruptedException {
    try (FaultyFixture fixture = new FaultyFixture(liar, lie)) {
      NemesisReport report = Nemesis.run(fixture, 1, PROFILE, directory);
      assertTrue(
          report.violations().stream().anyMatch(one -> one.kind() == by),
          () -> liar + ": " + report.summary());
    }
  }

  private static BiFunction<LockBackend<?>, MemoryServer, LockBackend<?>> grants(
      UnaryOperator<Attempt.Granted> lie) {
    return (inner, server) ->
        new ForwardingBackend(inner) {
          @Override
          CompletionStage<Attempt> attempt(Claim claim) {
            return super.attempt(claim)
                .thenApply(
                    answer ->
                        answer instanceof Attempt.Granted granted ? lie.apply(granted) : answer);
          }
        };
  }

  @Test
  void releaseOfAnybodys() throws InterruptedException {
    caught(
        "releases-anybodys",
        Violation.Kind.OVERLAP,
        (inner, server) ->
            new ForwardingBackend(inner) {
              @Override
              CompletionStage<ReleaseAnswer> release(Claim claim) {
                server.revoke(claim.request.lockName());
                return super.release(claim);
              }
            });
  }

  @Test
  void renewalThatIsNeverSent() throws InterruptedException {
    caught(
        "renewal-never-sent",
        Violation.Kind.OVERLAP,
        (inner, server) ->
            new ForwardingBackend(inner) {
              @Override
              public CompletionStage<List<RenewalAnswer>> renew(
                  List<RenewalRequest<Claim>> requests) {
                return CompletableFuture.completedFuture(
                    requests.stream()
                        .<RenewalAnswer>map(request -> new RenewalAnswer.Extended(request.ttl()))
                        .toList());
              }
            });
  }

  @Test
  void tokenThatIsAConstant() throws InterruptedException {
    caught(
        "repeats-tokens",
        Violation.Kind.TOKEN_TWICE,
        grants(granted -> new Attempt.Granted(7, granted.leaseTime())));
  }

  @Test
  void releaseThatIsForgotten() throws InterruptedException {
    caught(
        "forgets-to-release",
        Violation.Kind.RESIDUE,
        (inner, server) ->
            new ForwardingBackend(inner) {
              @Override
              public Claim claim(ClaimRequest request, ClaimSignals signals) {
                ClaimRequest forever =
                    new ClaimRequest(request.lockName(), request.ownerId(), Duration.ofHours(1));
                return new Claim(inner.claim(forever, signals), request);
              }

              @Override
              CompletionStage<ReleaseAnswer> release(Claim claim) {
                return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
              }
            });
  }
}
