/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what happens if one of several locks is lost, on a clock driven by hand. */
class SeveralLocksLossTest {

  private static final List<String> NAMES = List.of("a", "b");
  private static final LockOptions FIXED =
      LockOptions.defaults().withTtl(Duration.ofSeconds(10)).withRenewal(Renewal.none());

  /** Each is over before the next is granted and the first is asked for again. */
  private static final Duration SLOW = Duration.ofMillis(600);

  private static final LockOptions BRIEF = FIXED.withTtl(Duration.ofMillis(900));

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  /** The locks whose next release has no answer. */
  private final Set<String> unanswered = new HashSet<>();

  private final LockClient client =
      Locks.using(
          new Unanswered(server),
          ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));

  @AfterEach
  void close() {
    server.delayAnswers(Duration.ZERO);
    time.advance(Duration.ofSeconds(2));
    client.close();
  }

  /** Otherwise the caller believes that its work was protected to the end. */
  @Test
  void aReleaseThatFindsOneLostSaysSoThoughAnotherIsNotAnswered() {
    for (String silent : NAMES) {
      Lease lease = client.allOf(NAMES, FIXED).acquireAsync().join();
      unanswered.add(silent);
      server.revoke(silent.equals("a") ? "b" : "a");
      assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release(), "no answer of " + silent);
      time.advance(Duration.ofSeconds(1));
      assertEquals(Map.of(), server.owners());
    }
  }

  @Test
  void anExtensionThatFindsOneLostFails() {
    Lease lease = client.allOf(NAMES, FIXED).acquireAsync().join();
    server.revoke("b");
    assertThrows(LockLostException.class, () -> lease.extend(Duration.ofMinutes(1)));
    assertFalse(lease.isValid());
    assertEquals(Map.of(), server.owners());
  }

  @Test
  void oneAttemptEndsIfALockIsLostBeforeTheRestIsGranted() {
    server.delayAnswers(SLOW);
    CompletableFuture<?> tried = client.allOf(NAMES, BRIEF).tryAcquireAsync();
    time.advance(Duration.ofSeconds(10));
    LockException failure = failure(tried);
    assertInstanceOf(LockUnavailableException.class, failure);
    assertTrue(String.valueOf(failure.getMessage()).contains("'a' was lost before"), "" + failure);
  }

  @Test
  void aLimitOfAttemptsCountsLocksThatAreLostBeforeTheRestIsGranted() {
    server.delayAnswers(SLOW);
    LockOptions twice = BRIEF.withRetry(Retry.defaults().withMaxAttempts(2));
    CompletableFuture<Lease> asked = client.allOf(NAMES, twice).acquireAsync();
    time.advance(Duration.ofSeconds(10));
    assertInstanceOf(LockTimeoutException.class, failure(asked));
  }

  private static LockException failure(CompletableFuture<?> asked) {
    assertTrue(asked.isDone(), "it goes on and on");
    CompletionException failed = assertThrows(CompletionException.class, asked::join);
    return assertInstanceOf(LockException.class, failed.getCause());
  }

  private final class Unanswered extends ForwardingBackend {

    Unanswered(MemoryServer server) {
      super(server.backend());
    }

    @Override
    CompletionStage<ReleaseAnswer> release(Claim claim) {
      return unanswered.remove(claim.request.lockName())
          ? CompletableFuture.failedFuture(new LockUnavailableException("No answer"))
          : super.release(claim);
    }
  }
}
