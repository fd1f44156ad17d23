/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writers that become readers, on a clock driven by hand. */
class DowngradeTest {

  private static final LockOptions SHARING =
      MemoryHarness.TEN_SECONDS.withHandOver(new HandOver(1024, Duration.ofSeconds(2)));

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();
  private final DistributedReadWriteLock lock = client.readWriteLock("a", SHARING);
  private final DistributedReadWriteLock elsewhere = scene.client().readWriteLock("a", SHARING);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aDowngradeThatNobodyWaitsForGivesBackTheReadersLease() {
    Lease written = granted(lock.writeLock().acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(300));
    CompletableFuture<Lease> reader = written.downgradeAsync();
    assertTrue(reader.cancel(true));
    scene.time.advance(Duration.ofSeconds(1));
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(List.of(), holders());
    assertEquals(List.of(), client.status().locks());
  }

  @Test
  void aDowngradeDoesNotProlongTheMaximumHold() {
    DistributedReadWriteLock bounded =
        client.readWriteLock("a", SHARING.withMaxHold(Duration.ofSeconds(30)));
    Lease written = granted(bounded.writeLock().acquireAsync());
    scene.time.advance(Duration.ofSeconds(20));
    Lease read = written.downgradeAsync().join();
    scene.time.advance(Duration.ofSeconds(9));
    assertTrue(read.isValid());
    scene.time.advance(Duration.ofSeconds(2));
    assertFalse(read.isValid());
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void aDowngradeDoesNotProlongTheMinimumHold(Retention retention) {
    DistributedReadWriteLock bounded =
        scene.keeping(retention).readWriteLock("a", SHARING.withMinHold(Duration.ofSeconds(30)));
    Lease written = granted(bounded.writeLock().acquireAsync());
    scene.time.advance(Duration.ofSeconds(20));
    Lease read = written.downgradeAsync().join();
    CompletableFuture<Lease> writer = elsewhere.writeLock().acquireAsync();
    scene.time.advance(Duration.ofSeconds(1));
    read.release();
    scene.time.advance(Duration.ofSeconds(8));
    assertFalse(writer.isDone(), "granted before the minimum of the writer has passed");
    scene.time.advance(Duration.ofSeconds(2));
    assertTrue(writer.isDone(), "the minimum began anew with the downgrade");
  }

  @Test
  void aReaderHasBeenGrantedAtTheDowngradeForThoseWhoListen() {
    Lease written = granted(lock.writeLock().acquireAsync());
    scene.time.advance(Duration.ofSeconds(20));
    Lease read = written.downgradeAsync().join();
    scene.time.advance(Duration.ofSeconds(5));
    read.release();
    assertEquals(
        List.of(Duration.ofSeconds(20), Duration.ofSeconds(5)),
        scene.events.stream()
            .filter(LockEvent.Released.class::isInstance)
            .map(event -> ((LockEvent.Released) event).held())
            .toList());
  }

  @Test
  void aDowngradeHasATokenOfItsOwnHoweverOftenTheLockWasPassedOn() {
    DistributedReadWriteLock passed =
        client.readWriteLock("a", SHARING.withHandOver(new HandOver(1024, Duration.ofHours(1))));
    Lease written = granted(passed.writeLock().acquireAsync());
    for (int i = 1; i < 1024; i++) {
      CompletableFuture<Lease> next = passed.writeLock().acquireAsync();
      written.release();
      if (!next.isDone()) {
        scene.time.advance(Duration.ofSeconds(1));
      }
      assertTrue(granted(next).fencingToken() > written.fencingToken());
      written = next.join();
    }
    Lease read = written.downgrade();
    assertTrue(read.fencingToken() > written.fencingToken());
    read.release();
    Lease next = granted(elsewhere.writeLock().acquireAsync());
    assertTrue(next.fencingToken() > read.fencingToken());
  }

  @Test
  void aWriterBecomesAReaderWithoutAnotherInBetween() {
    Lease written = granted(lock.writeLock().acquireAsync());
    CompletableFuture<Lease> writer = elsewhere.writeLock().acquireAsync();
    CompletableFuture<Lease> reader = lock.readLock().acquireAsync();
    Lease read = written.downgrade();
    assertFalse(written.isValid());
    assertTrue(read.isValid());
    assertEquals(Share.READ, read.share());
    assertTrue(read.fencingToken() > written.fencingToken());
    assertFalse(writer.isDone());
    assertTrue(reader.isDone(), "a reader of the same client shares what is left");
    assertEquals(Share.READ, holders().get(0).share());
    granted(reader).release();
    read.release();
    granted(writer);
  }

  @Test
  void aReaderOfTheSameClientOnOtherTermsNeedNotWaitForTheRelease() {
    DistributedReadWriteLock longer = lock.with(SHARING.withTtl(Duration.ofSeconds(20)));
    Lease written = granted(lock.writeLock().acquireAsync());
    CompletableFuture<Lease> reader = longer.readLock().acquireAsync();
    Lease read = written.downgrade();
    assertNotEquals(read.ownerId(), granted(reader).ownerId());
    assertTrue(read.isValid());
    assertEquals(2, holders().size());
  }

  @Test
  void aDowngradeWithoutAnAnswerIsMadeGood() {
    Lease written = granted(lock.writeLock().acquireAsync());
    scene.server.goAway();
    Lease read = written.downgradeAsync().join();
    assertTrue(read.isValid());
    scene.server.comeBack();
    assertEquals(Optional.empty(), elsewhere.readLock().tryAcquireAsync().join());
    scene.time.advance(Duration.ofSeconds(2));
    assertTrue(read.isValid());
    granted(elsewhere.readLock().acquireAsync());
  }

  @Test
  void aDowngradeOfWhatWasTakenAwayIsALoss() {
    Lease written = granted(lock.writeLock().acquireAsync());
    scene.server.revoke("a");
    CompletionException failed =
        assertThrows(CompletionException.class, () -> written.downgradeAsync().join());
    assertInstanceOf(io.holdfast.lock.LockLostException.class, failed.getCause());
    assertEquals(1, scene.count(LockEvent.Lost.class));
  }

  /** Though the answer may never come. */
  @Test
  void aLossEndsADowngradeThatIsNotAnswered() {
    CompletableFuture<ReleaseAnswer> unanswered = new CompletableFuture<>();
    try (LockClient silent = answering(unanswered)) {
      Lease written = granted(silent.readWriteLock("a", SHARING).writeLock().acquireAsync());
      CompletableFuture<Lease> reader = written.downgradeAsync();
      scene.server.revoke("a");
      assertFalse(reader.isDone());
      scene.time.advance(SHARING.ttl());
      assertTrue(reader.isCompletedExceptionally(), "it waits for the answer");
      CompletionException failed = assertThrows(CompletionException.class, reader::join);
      assertInstanceOf(io.holdfast.lock.LockLostException.class, failed.getCause());
      // The close of the client waits for it.
      unanswered.complete(ReleaseAnswer.NOT_OURS);
    }
  }

  /** One whose claims have that answer when a part of them is given back. */
  private LockClient answering(CompletableFuture<ReleaseAnswer> answer) {
    return Locks.using(
        new ForwardingBackend(scene.server) {
          @Override
          public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new Claim(super.claim(request, signals)) {
              @Override
              public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
                return answer;
              }
            };
          }
        },
        ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(scene.time));
  }

  @Test
  void onlyAWriterIsDowngraded() {
    Lease read = granted(lock.readLock().acquireAsync());
    assertThrows(IllegalStateException.class, read::downgrade);
  }

  private List<LockHolder> holders() {
    return client.inspector().holders("a");
  }
}
