/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.tck.history.Violation;
import io.holdfast.lock.tck.nemesis.Nemesis;
import io.holdfast.lock.tck.nemesis.NemesisReport;
import io.holdfast.lock.tck.nemesis.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs {@link FaultyBackendsNemesisTest} with backends that lie about shares alone. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("other-jdk")
class FaultySharesNemesisTest {

  private static final Profile PROFILE = Profile.FULL.withLength(Duration.ofSeconds(20));

  @TempDir Path directory;

  /** Of a name of a family, and by the kind that is expected. */
  private void caught(
      String liar, Violation.Kind by, String family, Function<LockBackend<?>, LockBackend<?>> lie)
      throws InterruptedException {
    try (FaultyFixture fixture = new FaultyFixture(liar, (inner, server) -> lie.apply(inner))) {
      NemesisReport report = Nemesis.run(fixture, 1, PROFILE, directory);
      assertTrue(
          report.violations().stream()
              .anyMatch(one -> one.kind() == by && one.sentence().contains(" " + family + "-")),
          () -> liar + ": " + report.summary());
    }
  }

  private static Function<LockBackend<?>, LockBackend<?>> asks(
      Share.Mode mode, UnaryOperator<ClaimRequest> lie) {
    return inner ->
        new ForwardingBackend(inner) {
          @Override
          public Claim claim(ClaimRequest request, ClaimSignals signals) {
            ClaimRequest asked = request.share().mode() == mode ? lie.apply(request) : request;
            return new Claim(inner.claim(asked, signals), asked);
          }
        };
  }

  private static ClaimRequest named(ClaimRequest request, String name) {
    return new ClaimRequest(name, request.ownerId(), request.ttl(), request.share());
  }

  @Test
  void readersThatSlipPastAWriter() throws InterruptedException {
    caught(
        "readers-see-no-writer",
        Violation.Kind.OVERLAP,
        "rw",
        asks(Share.Mode.READ, request -> named(request, "readers of " + request.lockName())));
  }

  @Test
  void semaphoreThatCountsForEachClient() throws InterruptedException {
    AtomicInteger clients = new AtomicInteger();
    caught(
        "counts-for-each-client",
        Violation.Kind.OVERLAP,
        "p",
        inner -> {
          String prefix = clients.incrementAndGet() + " of ";
          return asks(Share.Mode.PERMITS, request -> named(request, prefix + request.lockName()))
              .apply(inner);
        });
  }

  /** One at a time, so that nobody waits in vain. */
  @Test
  void semaphoreThatLeaksAPermit() throws InterruptedException {
    AtomicReference<Optional<String>> leaked = new AtomicReference<>(Optional.empty());
    caught(
        "leaks-a-permit",
        Violation.Kind.RESIDUE,
        "p",
        inner ->
            new ForwardingBackend(inner) {
              @Override
              public Claim claim(ClaimRequest request, ClaimSignals signals) {
                if (!request.share().equals(Share.of(1, 3))) {
                  return super.claim(request, signals);
                }
                ClaimRequest forever =
                    new ClaimRequest(
                        request.lockName(),
                        request.ownerId(),
                        Duration.ofHours(1),
                        request.share());
                return new Claim(this.inner.claim(forever, signals), request) {
                  @Override
                  public CompletionStage<ReleaseAnswer> release() {
                    return inspection()
                        .orElseThrow()
                        .holders(request.lockName())
                        .thenCompose(this::release);
                  }

                  private CompletionStage<ReleaseAnswer> release(List<LockHolder> holders) {
                    if (holders.stream().anyMatch(one -> one.ownerId().equals(leaked.get()))) {
                      return inner.release();
                    }
                    leaked.set(Optional.of(request.ownerId()));
                    return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
                  }
                };
              }
            });
  }

  @Test
  void capacityThatChanges() throws InterruptedException {
    caught(
        "changes-the-capacity",
        Violation.Kind.FAILED,
        "p",
        inner ->
            new ForwardingBackend(inner) {
              @Override
              public Claim claim(ClaimRequest request, ClaimSignals signals) {
                return new Claim(this.inner.claim(request, signals), request) {
                  @Override
                  public CompletionStage<ReleaseAnswer> release() {
                    int capacity = request.share().capacity();
                    return request.share().mode() == Share.Mode.PERMITS
                        ? inspection()
                            .orElseThrow()
                            .changeCapacity(request.lockName(), capacity, capacity - 1)
                            .thenCompose(changed -> inner.release())
                        : inner.release();
                  }
                };
              }
            });
  }
}
