/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The timers of a client: when they go off on a host that was suspended, and what is left. */
class TimersTest {

  private static final Duration DAY = Duration.ofDays(1);

  private final ManualTime time = MemoryHarness.at(Duration.ofHours(1));
  private final MemoryServer server = new MemoryServer(time);
  private final Host host = new Host();
  private final ClientOptions options =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);
  private final LockClient client = Locks.using(server.backend(), options.withTime(host));
  private final LockClient rival = server.open(options);

  @AfterEach
  void close() {
    client.close();
    rival.close();
  }

  @Test
  void aLossIsToldWithinASecondAfterTheHostWasSuspended() {
    LockOptions minute = TEN_SECONDS.withTtl(Duration.ofMinutes(1));
    Lease lease = granted(client.lock("a", minute).acquireAsync());
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    time.advance(Duration.ofSeconds(5));
    host.suspended = Duration.ofMinutes(2);
    time.advance(Duration.ofSeconds(1));
    assertEquals(List.of(new Loss("a", lease.ownerId(), LossReason.EXPIRED)), told);
  }

  /** The server could be reached, so it is not what the holder has to look at. */
  @Test
  void anOutageThatIsOverIsNotTheReasonOfALossByASuspension() {
    LockOptions minute = TEN_SECONDS.withTtl(Duration.ofMinutes(1));
    Lease lease = granted(client.lock("a", minute).acquireAsync());
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    server.goAway();
    // A renewal fails after 20 s, and is repeated once in a second.
    time.advance(Duration.ofSeconds(21));
    assertEquals(1, client.status().outages());
    server.comeBack();
    time.advance(Duration.ofSeconds(2));
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(50)) > 0, "it was not renewed");
    host.suspended = Duration.ofMinutes(2);
    time.advance(Duration.ofSeconds(1));
    assertEquals(List.of(new Loss("a", lease.ownerId(), LossReason.EXPIRED)), told);
  }

  @Test
  void noOutcomeOfAWaitLeavesATimer() {
    DistributedLock lock = client.lock("a", TEN_SECONDS);
    granted(lock.acquireAsync(DAY)).release();
    Lease busy = granted(rival.lock("a", TEN_SECONDS).acquireAsync());
    CompletableFuture<Lease> cancelled = lock.acquireAsync(DAY);
    CompletableFuture<Lease> behind = lock.acquireAsync(DAY);
    CompletableFuture<Lease> bounded =
        lock.with(TEN_SECONDS.withRetry(TEN_SECONDS.retry().withMaxAttempts(3))).acquireAsync(DAY);
    CompletableFuture<Optional<Lease>> limited = lock.tryAcquireAsync(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(5));
    assertTrue(bounded.isCompletedExceptionally());
    assertEquals(Optional.empty(), limited.join());
    cancelled.cancel(false);
    busy.release();
    time.advance(Duration.ofSeconds(1));
    granted(behind).release();
    // Renewals look once more.
    time.advance(Duration.ofSeconds(1));
    assertEquals(0, host.timers);
  }

  /** Its clock goes on while it is suspended, and its timers do not, as on Linux. */
  private final class Host implements TimeSource {

    private Duration suspended = Duration.ZERO;

    /** Those that have neither gone off nor been cancelled. */
    private int timers;

    @Override
    public long nanos() {
      return time.nanos() + suspended.toNanos();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      timers++;
      boolean[] over = new boolean[1];
      Timer timer =
          time.schedule(
              delay,
              () -> {
                end(over);
                task.run();
              });
      return () -> {
        timer.cancel();
        end(over);
      };
    }

    private void end(boolean[] over) {
      timers -= over[0] ? 0 : 1;
      over[0] = true;
    }

    @Override
    public void close() {
      throw new AssertionError("the clock is not the client's");
    }
  }
}
