/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests releases that have no answer or are refused, on a clock driven by hand. */
class UnansweredReleaseTest {

  private static final LockOptions TEN_SECONDS =
      LockOptions.defaults().withTtl(Duration.ofSeconds(10));

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  /** When releases were sent, in milliseconds. */
  private final List<Long> sent = new ArrayList<>();

  private Optional<Throwable> failure = Optional.empty();

  private final LockClient client =
      Locks.using(
          new Watched(server),
          ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));

  @AfterEach
  void close() {
    failure = Optional.empty();
    server.comeBack();
    time.advance(Duration.ofSeconds(2));
    client.close();
  }

  /** A server that hung may carry out old requests when it goes on, however late. */
  @Test
  void aReleaseIsRepeatedForAsLongAsTheServerIsAway() {
    release(TEN_SECONDS);
    server.goAway();
    time.advance(Duration.ofMinutes(5));
    int before = sent.size();
    time.advance(Duration.ofSeconds(10));
    assertEquals(before + 10, sent.size());
    server.comeBack();
    time.advance(Duration.ofSeconds(10));
    assertEquals(before + 11, sent.size(), "repeated though it was answered");
  }

  @Test
  void aReleaseIsRepeatedSoonAtFirstAndThenOncePerSecond() {
    release(TEN_SECONDS);
    time.advance(Duration.ofSeconds(4));
    assertEquals(List.of(0L, 50L, 150L, 350L, 750L, 1_550L, 2_550L, 3_550L), sent);
  }

  /** What is released may arrive at the server for as long as a request may take. */
  @Test
  void aRefusedReleaseIsRepeatedForTheTimeOutOfARequestThoughTheTtlIsShorter() {
    failure = Optional.of(new LockRejectedException("The disk is full"));
    release(LockOptions.defaults().withTtl(Duration.ofMillis(100)));
    time.advance(Duration.ofSeconds(2));
    assertEquals(List.of(0L, 50L, 150L, 350L, 750L, 1_550L), sent);
    time.advance(Duration.ofMinutes(1));
    assertEquals(7, sent.size(), "repeated though the TTL has freed the lock long ago");
  }

  @Test
  void aRefusalIsRecognizedInAnExceptionOfAStage() {
    failure = Optional.of(new CompletionException(new LockRejectedException("The disk is full")));
    release(TEN_SECONDS);
    time.advance(Duration.ofSeconds(30));
    int before = sent.size();
    time.advance(Duration.ofMinutes(1));
    assertEquals(before, sent.size());
  }

  @Test
  void aBodyHasItsResultThoughItsReleaseIsNotAnswered() throws InterruptedException {
    boolean valid =
        client
            .lock("a", TEN_SECONDS)
            .call(
                lease -> {
                  server.goAway();
                  return lease.isValid();
                });
    assertTrue(valid);
    assertEquals(List.of(0L), sent);
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Tests unlock itself.
  void anUnlockThatIsNotAnsweredIsNotALoss() {
    JavaLock view = client.lock("a", TEN_SECONDS).asJavaLock();
    view.lock();
    server.goAway();
    view.unlock();
    assertFalse(view.isHeldByCurrentThread());
    assertEquals(List.of(0L), sent);
  }

  private void release(LockOptions options) {
    Lease lease = client.lock("a", options).acquireAsync().join();
    if (failure.isEmpty()) {
      server.goAway();
    }
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
  }

  private final class Watched extends ForwardingBackend {

    Watched(MemoryServer server) {
      super(server.backend());
    }

    @Override
    CompletionStage<ReleaseAnswer> release(Claim claim) {
      sent.add(Duration.ofNanos(time.nanos()).toMillis());
      return failure
          .<CompletionStage<ReleaseAnswer>>map(CompletableFuture::failedFuture)
          .orElseGet(() -> super.release(claim));
    }
  }
}
