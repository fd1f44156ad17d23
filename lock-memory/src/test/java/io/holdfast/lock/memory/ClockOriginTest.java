/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client whose clock has any origin, as that of {@link System#nanoTime} may have: it is negative,
 * passes zero, or overflows, each a minute after the beginning.
 */
class ClockOriginTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final LockOptions FIXED = TEN_SECONDS.withRenewal(Renewal.none());

  /** Without what passes a lock on. */
  private static final LockOptions ALONE = TEN_SECONDS.withHandOver(HandOver.none());

  private final MemoryHarness scene = new MemoryHarness();

  private interface Steps {
    void with(LockClient client, LockClient rival);
  }

  private void from(long origin, Steps steps) {
    TimeSource clock = new Moved(scene.time, origin - scene.time.nanos());
    ClientOptions options =
        ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(clock);
    try (scene;
        LockClient client = Locks.using(scene.server.backend(), options)) {
      steps.with(client, scene.client());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void aLeaseIsRenewedAndReleased(long origin) {
    from(
        origin,
        (client, rival) -> {
          Lease lease = granted(client.lock("a", TEN_SECONDS).acquireAsync());
          for (int i = 0; i < 120; i++) {
            scene.time.advance(SECOND);
            assertTrue(lease.isValid());
            assertTrue(lease.remaining().compareTo(TEN_SECONDS.ttl()) < 0);
          }
          assertEquals(Optional.of(lease.remaining()), client.status().locks().get(0).validity());
          assertEquals(ReleaseOutcome.RELEASED, lease.release());
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void itIsLostWhenAnOutageHasLastedForItsValidity(long origin) {
    from(
        origin,
        (client, rival) -> {
          LockOptions warned = TEN_SECONDS.withEarlyWarning(SECOND);
          Lease lease = granted(client.lock("a", warned).acquireAsync());
          List<Duration> warnings = new ArrayList<>();
          lease.onRenewalFailing(failed -> warnings.add(failed.remaining()));
          List<Loss> told = new ArrayList<>();
          lease.onLoss(told::add);
          // At a minute, it is valid for 3.3 s to 9.9 s more.
          scene.time.advance(MINUTE.minus(SECOND));
          scene.server.goAway();
          Duration left = lease.remaining();
          scene.time.advance(left.minusNanos(1));
          assertEquals(List.of(SECOND), warnings);
          assertEquals(List.of(), told);
          scene.time.advance(Duration.ofNanos(1));
          assertEquals(List.of(new Loss("a", lease.ownerId(), LossReason.UNREACHABLE)), told);
          scene.server.comeBack();
          scene.time.advance(SECOND);
          assertTrue(client.lock("a", TEN_SECONDS).tryAcquireAsync().join().isPresent());
          assertEquals(1, client.status().outages());
          assertTrue(client.status().outageTime().compareTo(TEN_SECONDS.ttl()) < 0);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void aFixedTimeIsExtendedAndEndsEarlier(long origin) {
    from(
        origin,
        (client, rival) -> {
          Lease lease = granted(client.lock("a", FIXED).acquireAsync());
          lease.extend(HOUR);
          scene.time.advance(MINUTE.minus(SECOND));
          assertTrue(lease.isValid());
          lease.expireIn(SECOND.multipliedBy(2));
          scene.time.advance(SECOND);
          assertTrue(lease.isValid());
          lease.extend(MINUTE);
          scene.time.advance(SECOND.multipliedBy(50));
          assertTrue(lease.isValid());
          scene.time.advance(SECOND.multipliedBy(10));
          assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void aHoldHasItsBounds(long origin) {
    from(
        origin,
        (client, rival) -> {
          LockOptions most = TEN_SECONDS.withMaxHold(SECOND.multipliedBy(70));
          Lease lost = granted(client.lock("a", most).acquireAsync());
          LockOptions least = TEN_SECONDS.withMinHold(SECOND.multipliedBy(70));
          Lease kept = granted(client.lock("b", least).acquireAsync());
          kept.release();
          scene.time.advance(SECOND.multipliedBy(69));
          assertTrue(lost.isValid());
          assertTrue(scene.server.owners().containsKey("b"));
          scene.time.advance(SECOND);
          assertEquals(LossReason.MAX_HOLD_REACHED, lost.loss().join().reason());
          assertFalse(scene.server.owners().containsKey("b"));
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void aWaitGoesOnAndEndsInTime(long origin) {
    from(
        origin,
        (client, rival) -> {
          Lease busy = granted(rival.lock("a", ALONE).acquireAsync());
          DistributedLock lock = client.lock("a", ALONE);
          CompletableFuture<Optional<Lease>> limited =
              lock.tryAcquireAsync(SECOND.multipliedBy(70));
          CompletableFuture<Optional<Lease>> several =
              client.allOf(List.of("a", "b"), ALONE).tryAcquireAsync(SECOND.multipliedBy(70));
          scene.time.advance(SECOND.multipliedBy(69));
          assertFalse(limited.isDone() || several.isDone());
          scene.time.advance(SECOND);
          assertEquals(Optional.empty(), limited.join());
          assertEquals(Optional.empty(), several.join());
          CompletableFuture<Lease> waiting = lock.acquireAsync();
          busy.release();
          granted(waiting);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void aLockIsPassedOnForAsLongAsItMayBe(long origin) {
    from(
        origin,
        (client, rival) -> {
          HandOver twoMinutes = new HandOver(1024, MINUTE.multipliedBy(2));
          DistributedLock lock = client.lock("a", TEN_SECONDS.withHandOver(twoMinutes));
          Lease first = granted(lock.acquireAsync());
          scene.time.advance(SECOND.multipliedBy(90));
          Lease second = next(lock, first);
          assertEquals(first.ownerId(), second.ownerId());
          scene.time.advance(MINUTE);
          assertNotEquals(first.ownerId(), next(lock, second).ownerId());
        });
  }

  private Lease next(DistributedLock lock, Lease held) {
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    held.release();
    // Others may go first for a moment.
    scene.time.advance(SECOND);
    return granted(waiting);
  }

  /** A release that the server did not answer is sent again. */
  @ParameterizedTest
  @ValueSource(longs = {-MINUTE_NANOS, Long.MAX_VALUE - MINUTE_NANOS, Long.MIN_VALUE})
  void aReleaseIsMadeGood(long origin) {
    from(
        origin,
        (client, rival) -> {
          List<Duration> held = new ArrayList<>();
          client.addListener(
              event -> {
                if (event instanceof LockEvent.Released told) {
                  held.add(told.held());
                }
              });
          LockOptions forAnHour = TEN_SECONDS.withTtl(HOUR);
          Lease lease = granted(client.lock("a", forAnHour).acquireAsync());
          scene.time.advance(MINUTE.minusMillis(500));
          scene.server.goAway();
          assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
          assertEquals(List.of(MINUTE.minusMillis(500)), held);
          scene.time.advance(SECOND.multipliedBy(5));
          scene.server.comeBack();
          scene.time.advance(SECOND.multipliedBy(2));
          assertFalse(scene.server.owners().containsKey("a"));
        });
  }

  /** Another clock, moved; its timers are the same. */
  private record Moved(TimeSource clock, long by) implements TimeSource {

    @Override
    public long nanos() {
      return clock.nanos() + by;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      return clock.schedule(delay, task);
    }

    @Override
    public void close() {}
  }
}
