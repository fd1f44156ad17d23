/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random steps with one name, on a clock driven by hand. The seeds are always the same; {@code
 * -Dholdfast.queue.seeds} sets how many.
 */
class QueueStepsTest {

  private static final int SEEDS = Integer.getInteger("holdfast.queue.seeds", 500);

  private record Asked(Share share, CompletableFuture<?> answer) {}

  /** One run: of permits for one client, or of any kind for two. */
  private static final class Run {

    private final boolean alone;
    private final Random random;
    private final MemoryHarness scene = new MemoryHarness();
    private final List<LockClient> clients;
    private final LockOptions options;
    private final List<Asked> asked = new ArrayList<>();
    private final List<Lease> held = new ArrayList<>();
    private String told;

    Run(boolean alone, long seed) {
      this.alone = alone;
      this.random = new Random(seed);
      this.told = "seed " + seed;
      clients = List.of(scene.keeping(oneOf(Retention.SERVER, Retention.CLIENT)), scene.client());
      options = MemoryHarness.TEN_SECONDS.withHandOver(oneOf(HandOver.defaults(), HandOver.none()));
    }

    /** Once all is released, everybody has been answered, and nothing is left anywhere. */
    void all() {
      for (int left = 20 + random.nextInt(80); left > 0; left--) {
        step();
      }
      scene.server.delayAnswers(Duration.ZERO);
      for (int i = 0; i < 30; i++) {
        releaseAll();
      }
      asked.forEach(Run::assertAnswered);
      clients.forEach(client -> assertEquals(List.of(), client.status().locks()));
      assertEquals(0, scene.server.waiters());
      assertEquals(Map.of(), scene.server.owners());
      scene.close();
    }

    private void releaseAll() {
      List<Lease> now = List.copyOf(held);
      held.clear();
      now.forEach(Lease::releaseAsync);
      scene.time.advance(Duration.ofSeconds(1));
    }

    private void step() {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5, 6 -> ask();
        case 7, 8, 9, 10, 11, 12 -> release();
        case 13 -> cancel();
        case 14 -> changeCapacity();
        case 15 -> delayAnswers(oneOf(0, 10, 20, 30, 2_000));
        case 16 -> pass(random.nextInt(300), true);
        default -> pass(random.nextInt(40), false);
      }
      if (alone && random.nextInt(4) == 0) {
        assertNobodyIsForgotten();
      }
    }

    private void ask() {
      LockClient client = clients.get(alone ? 0 : oneOf(0, 0, 0, 1));
      boolean stays = !alone && random.nextInt(6) == 0;
      HoldTimes least = HoldTimes.none().withMinimum(Duration.ofMillis(500));
      Share share = share();
      DistributedLock lock = lock(client, share, stays ? options.withHoldTimes(least) : options);
      boolean waits = random.nextInt(3) > 0;
      told += (waits ? ", acquire " : ", try ") + share + (stays ? " with a minimum" : "");
      note(share, waits ? lock.acquireAsync() : lock.tryAcquireAsync());
    }

    private void note(Share share, CompletableFuture<?> answer) {
      asked.add(new Asked(share, answer));
      answer.thenAccept(
          got -> {
            Optional<?> granted = got instanceof Optional<?> maybe ? maybe : Optional.of(got);
            granted.ifPresent(lease -> held.add((Lease) lease));
          });
    }

    private Share share() {
      if (!alone && random.nextInt(4) == 0) {
        return oneOf(Share.LOCK, Share.READ, Share.READ, Share.WRITE);
      }
      int capacity = oneOf(3, 3, 3, 8);
      return Share.of(1 + random.nextInt(oneOf(2, 2, capacity)), capacity);
    }

    private static DistributedLock lock(LockClient client, Share share, LockOptions wanted) {
      return switch (share.mode()) {
        case LOCK -> client.lock("a", wanted);
        case READ -> client.readWriteLock("a", wanted).readLock();
        case WRITE -> client.readWriteLock("a", wanted).writeLock();
        case PERMITS -> client.semaphore("a", share.capacity(), wanted).permits(share.permits());
      };
    }

    private void release() {
      if (held.isEmpty()) {
        return;
      }
      Lease lease = held.remove(random.nextInt(held.size()));
      boolean isWriter = lease.share().mode() == Share.Mode.WRITE && lease.isValid();
      boolean downgrades = isWriter && random.nextBoolean();
      told += (downgrades ? ", downgrade " : ", release ") + lease.share();
      if (downgrades) {
        note(Share.READ, lease.downgradeAsync());
      } else {
        lease.releaseAsync();
      }
    }

    private void cancel() {
      if (!asked.isEmpty()) {
        Asked one = asked.get(random.nextInt(asked.size()));
        told += ", cancel " + one.share;
        one.answer.cancel(true);
      }
    }

    /** Carried out at once, though the answer may come later. */
    private void changeCapacity() {
      int from = oneOf(3, 8);
      told += ", change from " + from;
      scene.server.backend().inspection().orElseThrow().changeCapacity("a", from, 11 - from);
    }

    private void delayAnswers(int millis) {
      told += ", delay answers by " + millis;
      scene.server.delayAnswers(Duration.ofMillis(millis));
    }

    private void pass(int millis, boolean isAway) {
      told += ", pass " + millis + (isAway ? " without the server" : "");
      if (isAway) {
        scene.server.goAway();
      }
      scene.time.advance(Duration.ofMillis(millis));
      scene.server.comeBack();
    }

    /** If nobody asks the server, then the first who waits has no room. */
    private void assertNobodyIsForgotten() {
      delayAnswers(0);
      pass(3_000, false);
      var waiting = asked.stream().filter(one -> !one.answer.isDone()).map(Asked::share);
      Map<Integer, Share> first =
          waiting.collect(toMap(Share::capacity, share -> share, (older, newer) -> older));
      var grants = scene.server.with("a", entry -> entry.shares.grants(scene.time.nanos()));
      int taken = grants.stream().mapToInt(grant -> grant.permits).sum();
      assertTrue(
          first.isEmpty()
              || scene.server.waiters() > 0
              || first.values().stream().anyMatch(one -> taken + one.permits() > one.capacity()),
          () -> first.values() + " has room beside " + taken);
    }

    private static void assertAnswered(Asked one) {
      Throwable failure = one.answer.handle((lease, why) -> why).getNow(new AssertionError(one));
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (cause != null && !(cause instanceof CancellationException)) {
        assertInstanceOf(LockException.class, cause);
      }
    }

    @SafeVarargs
    private <T> T oneOf(T... all) {
      return all[random.nextInt(all.length)];
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everybodyIsAnsweredAndNothingIsLeft(boolean alone) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(alone, seed);
      assertDoesNotThrow(run::all, () -> run.told);
    }
  }
}
