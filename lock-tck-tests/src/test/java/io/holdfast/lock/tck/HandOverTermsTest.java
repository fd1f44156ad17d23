/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.testsupport.Records;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests which locks are not passed on to a waiter of the same client that asks for the same. */
class HandOverTermsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);
  private static final LockOptions PASSED_ON =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(10))
          .withHandOver(new HandOver(10, Duration.ofHours(1)));

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  /** The rest of one lease's time is not the time that the next has asked for. */
  @Test
  void aLeaseOfFixedTimeIsNotPassedOn() {
    try (LockClient client = server.open(OPTIONS)) {
      Lease next = afterOneOf(client.lock("a", PASSED_ON.withRenewal(Renewal.none())));
      assertTrue(next.remaining().compareTo(Duration.ofMillis(9_800)) > 0, next::toString);
    }
  }

  /** It is committed or rolled back with its lease. */
  @Test
  void aLeaseThatIsATransactionIsNotPassedOn() {
    try (LockClient client = Locks.using(new Transactions(server), OPTIONS.withTime(time))) {
      afterOneOf(client.lock("a", PASSED_ON));
    }
  }

  private Lease afterOneOf(DistributedLock lock) {
    Lease first = lock.acquireAsync().join();
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    time.advance(SECOND);
    first.release();
    // Other clients go first for a moment.
    time.advance(Duration.ofMillis(10));
    assertTrue(waiting.isDone());
    assertNotEquals(first.ownerId(), waiting.join().ownerId());
    return waiting.join();
  }

  private static final class Transactions extends ForwardingBackend {

    Transactions(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Capabilities capabilities() {
      return Records.with(inner.capabilities(), Capabilities.Lifetime.TRANSACTION);
    }
  }
}
