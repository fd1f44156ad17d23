/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.TimeSource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The last use of a lease. Compiled code does not refer to an object any more once it has read its
 * fields, so a lease could vanish, and be released as one that leaked, while it is being released.
 */
class LastUseTest {

  /** So often that all of it is compiled, also where the compiler is busy. */
  private static final int WARM_UPS = 5_000;

  private static final int TRIES = 5;

  private final CollectingTime time = new CollectingTime();
  private final LockClient client =
      Locks.using(
          new MemoryServer(time.inner).backend(),
          ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void aLeaseStaysUntilItsReleaseHasBegun() {
    stays(this::lock, Lease::release);
  }

  @Test
  void aLeaseStaysUntilItsAsynchronousReleaseHasBegun() {
    stays(this::lock, Lease::releaseAsync);
  }

  @Test
  void aLeaseStaysUntilItIsClosed() {
    stays(this::lock, Lease::close);
  }

  @Test
  void aLeaseOfSeveralLocksStaysUntilItsReleaseHasBegun() {
    stays(this::several, Lease::release);
  }

  @Test
  void aLeaseOfSeveralLocksStaysUntilItsAsynchronousReleaseHasBegun() {
    stays(this::several, Lease::releaseAsync);
  }

  @Test
  void aLeaseOfSeveralLocksStaysUntilItIsClosed() {
    stays(this::several, Lease::close);
  }

  private CompletableFuture<Lease> lock() {
    return client.lock("a", MemoryHarness.TEN_SECONDS).acquireAsync();
  }

  private CompletableFuture<Lease> several() {
    return client.allOf(List.of("a", "b"), MemoryHarness.TEN_SECONDS).acquireAsync();
  }

  private void stays(Supplier<CompletableFuture<Lease>> acquire, Consumer<Lease> lastUse) {
    for (int i = 0; i < WARM_UPS; i++) {
      acquired(acquire, false).accept(lastUse);
    }
    for (int i = 0; i < TRIES; i++) {
      acquired(acquire, true).accept(lastUse);
      assertFalse(time.collected, "the lease vanished in its last use");
    }
  }

  /** A lease to which only what is returned refers, until it is used. */
  private Consumer<Consumer<Lease>> acquired(
      Supplier<CompletableFuture<Lease>> acquire, boolean watch) {
    Lease[] only = {granted(acquire.get())};
    if (watch) {
      time.watched = new WeakReference<>(only[0]);
    }
    return use -> use.accept(taken(only));
  }

  private static Lease taken(Lease[] only) {
    Lease lease = only[0];
    only[0] = null;
    return lease;
  }

  /** Collects garbage when it is looked at. */
  private static final class CollectingTime implements TimeSource {

    final ManualTime inner = MemoryHarness.at(Duration.ofHours(1));
    @Nullable WeakReference<Lease> watched;
    boolean collected;

    @Override
    public long nanos() {
      WeakReference<Lease> lease = watched;
      if (lease != null) {
        watched = null;
        System.gc();
        collected = lease.refersTo(null);
      }
      return inner.nanos();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      return inner.schedule(delay, task);
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
