/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When validity ends, which is before the server gives the lock away, and what is too late then.
 */
class ValidityEndTest {

  private static final Duration SLOW = Duration.ofMillis(300);

  /** Less one percent and two milliseconds. */
  private static final Duration VALIDITY = Duration.ofMillis(10_000 - 100 - 2);

  private static final LockOptions FIXED = TEN_SECONDS.withRenewal(Renewal.none());

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aReleaseAfterItIsTooLateThoughTheServerStillKeepsTheLock() {
    Lease lease = granted(scene.client().lock("a", TEN_SECONDS).acquireAsync());
    scene.time.pause(VALIDITY);
    assertTrue(scene.server.owners().containsKey("a"));
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void soIsADowngrade() {
    Lease writer = granted(scene.client().readWriteLock("a", FIXED).writeLock().acquireAsync());
    scene.time.pause(VALIDITY);
    CompletableFuture<Lease> reader = writer.downgradeAsync();
    assertTrue(reader.isDone());
    CompletionException failed = assertThrows(CompletionException.class, reader::join);
    assertInstanceOf(LockLostException.class, failed.getCause());
    assertEquals(LossReason.EXPIRED, writer.loss().join().reason());
    assertEquals(1, scene.count(LockEvent.Lost.class));
    assertEquals(0, scene.count(LockEvent.Released.class));
  }

  @Test
  void soIsAGrantThatIsAnsweredAtThatInstant() {
    LockOptions brief = TEN_SECONDS.withTtl(Duration.ofMillis(500));
    Duration validity = Duration.ofMillis(500 - 5 - 2);
    scene.server.delayAnswers(validity);
    CompletableFuture<Lease> asked = scene.client().lock("a", brief).acquireAsync();
    scene.time.advance(validity);
    assertFalse(asked.isDone(), "granted with no time left");
    assertEquals(1, scene.count(LockEvent.AttemptFailed.class));
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(asked).isValid());
  }

  /** Whatever time a request has for its answer. */
  @Test
  void ofAServerThatIsSilentItIsToldAtOnce() {
    Lease lease = granted(scene.client().lock("a", TEN_SECONDS).acquireAsync());
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    scene.server.delayAnswers(Duration.ofMinutes(1));
    scene.time.advance(VALIDITY.minusNanos(1));
    assertEquals(List.of(), told);
    scene.time.advance(Duration.ofNanos(1));
    assertEquals(1, told.size());
  }

  /** The server may count from then on. */
  @Test
  void itIsCountedFromBeforeARequestThatTakesLongToSend() {
    List<Duration> renewed = new ArrayList<>();
    try (LockClient client = slow()) {
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Renewed told) {
              renewed.add(told.remaining());
            }
          });
      Lease lease = granted(client.lock("a", TEN_SECONDS).acquireAsync());
      assertEquals(VALIDITY.minus(SLOW), lease.remaining(), "of the grant");
      scene.time.advance(Duration.ofSeconds(4));
      assertEquals(List.of(VALIDITY.minus(SLOW)), renewed, "of a renewal");
      lease.extend(Duration.ofSeconds(20));
      assertEquals(
          VALIDITY.plus(VALIDITY).plusMillis(2).minus(SLOW), lease.remaining(), "of an extension");
    }
  }

  /** One whose requests are on their way before the call has returned. */
  private LockClient slow() {
    return Locks.using(
        new ForwardingBackend(scene.server) {
          @Override
          public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new Claim(super.claim(request, signals)) {
              @Override
              public CompletionStage<Attempt> attempt() {
                return sent(super.attempt());
              }
            };
          }

          @Override
          public CompletionStage<List<RenewalAnswer>> renew(
              List<RenewalRequest<RenewableClaim>> requests) {
            return sent(super.renew(requests));
          }
        },
        ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(scene.time));
  }

  private <T> CompletionStage<T> sent(CompletionStage<T> request) {
    scene.time.pause(SLOW);
    return request;
  }
}
