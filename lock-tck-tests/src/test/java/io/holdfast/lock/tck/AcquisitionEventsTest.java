/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockEvent.GaveUp.Reason;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Retry;
import io.holdfast.lock.Share;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what listeners are told of an acquisition, to the last figure. */
class AcquisitionEventsTest {

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);

  /** The first pause between two attempts is 50 ms, the second one 100 ms. */
  private static final LockOptions PAUSES =
      LockOptions.defaults().withRetry(Retry.defaults().withJitter(0));

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient rival = server.open(OPTIONS);
  private final LockClient client = server.open(OPTIONS);
  private final List<LockEvent> told = new ArrayList<>();

  AcquisitionEventsTest() {
    client.addListener(told::add);
  }

  @AfterEach
  void close() {
    client.close();
    rival.close();
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void aWaitThatEndsWithALease() {
    Lease before = rival.lock("a", PAUSES).acquireAsync().join();
    CompletableFuture<Lease> asked = client.lock("a", PAUSES).acquireAsync();
    time.advance(millis(60));
    before.release();
    Lease lease = asked.getNow(before);
    String owner = lease.ownerId();
    assertEquals(
        List.of(
            new LockEvent.Attempted("a", owner, Share.LOCK, 1),
            new LockEvent.Contended("a", owner, Share.LOCK),
            new LockEvent.Attempted("a", owner, Share.LOCK, 2),
            new LockEvent.Contended("a", owner, Share.LOCK),
            new LockEvent.Attempted("a", owner, Share.LOCK, 3),
            new LockEvent.Granted("a", owner, Share.LOCK, lease.fencingToken(), millis(60), false)),
        told);
  }

  @Test
  void aWaitThatEndsWithItsLimit() {
    Lease held = rival.lock("a", PAUSES).acquireAsync().join();
    CompletableFuture<Optional<Lease>> tried = client.lock("a", PAUSES).tryAcquireAsync(millis(40));
    time.advance(millis(40));
    assertEquals(Optional.empty(), tried.getNow(Optional.of(held)));
    String owner = told.get(0).ownerId();
    assertTrue(owner.length() > 22, owner);
    assertEquals(
        List.of(
            new LockEvent.Attempted("a", owner, Share.LOCK, 1),
            new LockEvent.Contended("a", owner, Share.LOCK),
            new LockEvent.GaveUp("a", owner, Share.LOCK, Reason.TIMED_OUT, millis(40))),
        told);
  }

  /** It has not asked the server, and has no owner id. */
  @Test
  void aWaitThatIsCancelledBehindAnotherOfTheClient() {
    Lease held = client.lock("a", PAUSES).acquireAsync().join();
    told.clear();
    CompletableFuture<Lease> asked = client.lock("a", PAUSES).acquireAsync();
    time.advance(millis(70));
    asked.cancel(false);
    assertEquals(
        List.of(new LockEvent.GaveUp("a", "", Share.LOCK, Reason.CANCELLED, millis(70))), told);
    assertTrue(held.isValid());
  }

  @Test
  void anAttemptDuringAnOutage() {
    server.goAway();
    CompletableFuture<Optional<Lease>> tried = client.lock("a", PAUSES).tryAcquireAsync();
    Throwable failure = assertThrows(CompletionException.class, tried::join).getCause();
    String owner = told.get(0).ownerId();
    assertEquals(
        List.of(
            new LockEvent.Attempted("a", owner, Share.LOCK, 1),
            new LockEvent.AttemptFailed(
                "a", owner, Share.LOCK, assertInstanceOf(LockUnavailableException.class, failure)),
            new LockEvent.GaveUp("a", owner, Share.LOCK, Reason.FAILED, Duration.ZERO)),
        told);
    server.comeBack();
    time.advance(Duration.ofSeconds(2));
  }
}
