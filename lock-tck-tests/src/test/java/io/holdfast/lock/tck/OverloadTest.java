/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the verdicts of the kit on faulty backends on a machine that has far too much to do. */
@EnabledOnOs(
    value = OS.LINUX,
    disabledReason = "elsewhere nobody tells how much a machine has to do")
class OverloadTest {

  private static final int BUSY_FOR_EACH_PROCESSOR = 12;

  /** Spins for as long as the process lives whose id it is given, at the lowest priority. */
  private static final String SPIN = "while kill -0 \"$0\" 2>/dev/null; do :; done";

  private final List<Process> busy = new ArrayList<>();

  /** The tests of another module may run beside these, and must not be the ones that wait. */
  @BeforeEach
  void load() throws IOException {
    String self = Long.toString(ProcessHandle.current().pid());
    ProcessBuilder spinning = new ProcessBuilder("nice", "-n", "19", "sh", "-c", SPIN, self);
    long begun = System.nanoTime();
    for (int i = 0; i < BUSY_FOR_EACH_PROCESSOR * Runtime.getRuntime().availableProcessors(); i++) {
      busy.add(spinning.start());
    }
    try (MachineStalls stalls = new MachineStalls()) {
      while (stalls.since(begun).isEmpty()) {
        assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(60), "not noticed");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }

  @AfterEach
  void relieve() throws InterruptedException {
    for (Process process : busy) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void twoHoldersAtOnceAreNotExcused() {
    AtomicLong tokens = new AtomicLong();
    Result result =
        run(
            "EX-2",
            (inner, server) ->
                new ForwardingBackend(inner) {
                  @Override
                  CompletionStage<Attempt> attempt(Claim claim) {
                    return CompletableFuture.completedFuture(
                        new Attempt.Granted(tokens.incrementAndGet(), claim.request.ttl()));
                  }
                });
    assertEquals(Verdict.FAILED, result.verdict(), result.detail());
    assertTrue(
        result.detail().contains(": two clients hold at once. Look at attempt()"), result.detail());
  }

  @Test
  void aTokenThatGoesBackIsNotExcused() {
    AtomicLong tokens = new AtomicLong(1L << 40);
    Result result =
        run(
            "FN-1",
            (inner, server) ->
                new ForwardingBackend(inner) {
                  @Override
                  CompletionStage<Attempt> attempt(Claim claim) {
                    return super.attempt(claim).thenApply(attempt -> smaller(attempt, tokens));
                  }
                });
    assertEquals(Verdict.FAILED, result.verdict(), result.detail());
    assertEquals(1, result.tries());
  }

  @Test
  void aLeaseThatWasNotRenewedInTimeIsNotJudged() {
    Result result =
        run(
            "RN-1",
            (inner, server) ->
                new ForwardingBackend(inner) {
                  @Override
                  public CompletionStage<List<RenewalAnswer>> renew(
                      List<RenewalRequest<Claim>> requests) {
                    return CompletableFuture.failedFuture(
                        new LockUnavailableException("too much to do"));
                  }
                });
    assertEquals(Verdict.NOT_JUDGED, result.verdict(), result.detail());
    assertEquals(6, result.tries());
  }

  @Test
  void aRenewalThatBringsADeletedLockBackIsNotExcused() {
    Result result =
        run(
            "RN-6",
            (inner, server) ->
                new ForwardingBackend(inner) {
                  @Override
                  public CompletionStage<List<RenewalAnswer>> renew(
                      List<RenewalRequest<Claim>> requests) {
                    requests.forEach(request -> attempt(request.claim()));
                    return super.renew(requests);
                  }
                });
    assertRenewedAfterItsEnd(result);
  }

  @Test
  void aRenewalThatAlwaysSucceedsIsNotExcused() {
    Result result =
        run(
            "LS-3",
            (inner, server) ->
                new ForwardingBackend(inner) {
                  @Override
                  public CompletionStage<List<RenewalAnswer>> renew(
                      List<RenewalRequest<Claim>> requests) {
                    return super.renew(requests)
                        .thenApply(
                            answers ->
                                requests.stream()
                                    .<RenewalAnswer>map(
                                        request -> new RenewalAnswer.Extended(request.ttl()))
                                    .toList());
                  }
                });
    assertRenewedAfterItsEnd(result);
  }

  private static void assertRenewedAfterItsEnd(Result result) {
    assertEquals(Verdict.FAILED, result.verdict(), result.detail());
    assertTrue(result.detail().contains("a renewal was answered with yes"), result.detail());
  }

  @Test
  void aLeaseThatCountsFromTheAnswerIsNotExcused() {
    try (MemoryFixture fixture = new CountsFromTheAnswer()) {
      Result result = Conformance.run(fixture, "LT-3"::equals).get(0);
      assertEquals(Verdict.FAILED, result.verdict(), result.detail());
      assertTrue(result.detail().contains("what remains after a grant"), result.detail());
    }
  }

  /** Its clients do not use the link: to them, a delayed answer is as good as a quick one. */
  private static final class CountsFromTheAnswer extends MemoryFixture {

    @Override
    public Optional<TcpProxy> link() {
      return Optional.of(TcpProxy.to("localhost", 1));
    }

    @Override
    public Optional<Map<String, String>> settings(TcpProxy link) {
      return Optional.of(Map.of("provider", "memory"));
    }
  }

  private static Attempt smaller(Attempt attempt, AtomicLong tokens) {
    return attempt instanceof Attempt.Granted granted
        ? new Attempt.Granted(tokens.decrementAndGet(), granted.leaseTime())
        : attempt;
  }

  private static Result run(
      String rule, BiFunction<LockBackend<?>, MemoryServer, LockBackend<?>> lie) {
    try (FaultyFixture fixture = new FaultyFixture("overloaded", lie)) {
      return Conformance.run(fixture, rule::equals).get(0);
    }
  }
}
