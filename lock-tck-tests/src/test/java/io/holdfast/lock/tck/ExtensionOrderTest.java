/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An extension during which another thread sets an earlier end or releases the lease: whenever that
 * is, the server keeps the name for as long as the holder believes in it, or the minimum hold says.
 */
class ExtensionOrderTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  private final Interrupted time = new Interrupted();
  private final MemoryServer server = new MemoryServer(time.inner);

  /** Each look at the clock is a moment in which another thread may come. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void anEarlierEndIsNotUndone(int look) {
    try (LockClient client = client()) {
      Lease lease = fixed(client, LockOptions.defaults());
      time.at(look, () -> lease.expireInAsync(TWO_SECONDS));
      lease.extendAsync(MINUTE);
      // The client does nothing meanwhile, as a loss would free the name.
      time.inner.pause(Duration.ofSeconds(3));
      boolean taken = server.owners().containsKey("a");
      assertEquals(taken, lease.isValid(), "taken at the server, and believed in");
    }
  }

  /** That cannot be sent, and holds for the holder all the same. */
  @Test
  void norIsOneDuringAnOutageBeforeTheAnswer() {
    try (LockClient client = client()) {
      Lease lease = fixed(client, LockOptions.defaults());
      server.delayAnswers(Duration.ofMillis(500));
      CompletableFuture<Void> extended = lease.extendAsync(MINUTE);
      time.inner.advance(Duration.ofMillis(1));
      server.goAway();
      assertThrows(LockUnavailableException.class, () -> lease.expireIn(TWO_SECONDS));
      server.comeBack();
      server.delayAnswers(Duration.ZERO);
      time.inner.advance(Duration.ofSeconds(1));
      assertTrue(extended.isCompletedExceptionally());
      assertTrue(lease.remaining().compareTo(TWO_SECONDS) <= 0, () -> "" + lease.remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void aMinimumHoldIsNotProlonged(int look) {
    try (LockClient client = client()) {
      Lease lease = fixed(client, LockOptions.defaults().withMinHold(TWO_SECONDS));
      time.at(look, lease::releaseAsync);
      lease.extendAsync(MINUTE);
      lease.releaseAsync();
      time.inner.advance(Duration.ofSeconds(3));
      assertFalse(server.owners().containsKey("a"));
    }
  }

  private static Lease fixed(LockClient client, LockOptions options) {
    LockOptions fixed = options.withTtl(Duration.ofSeconds(10)).withRenewal(Renewal.none());
    return client.lock("a", fixed).acquireAsync().join();
  }

  private LockClient client() {
    ClientOptions options = ClientOptions.defaults().withCallbackExecutor(Runnable::run);
    return Locks.using(server.backend(), options.withTime(time));
  }

  /** A clock at which one look is followed by what another thread does. */
  private static final class Interrupted implements TimeSource {

    final ManualTime inner = new ManualTime();
    private int left;
    private Optional<Runnable> meanwhile = Optional.empty();

    void at(int look, Runnable work) {
      left = look;
      meanwhile = Optional.of(work);
    }

    @Override
    public long nanos() {
      long now = inner.nanos();
      if (meanwhile.isPresent() && --left == 0) {
        Runnable work = meanwhile.get();
        meanwhile = Optional.empty();
        inner.advance(Duration.ofMillis(1));
        work.run();
      }
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      return inner.schedule(delay, task);
    }

    @Override
    public void close() {}
  }
}
