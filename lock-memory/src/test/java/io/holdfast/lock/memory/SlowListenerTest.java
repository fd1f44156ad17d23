/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.testsupport.CapturedLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener that does not keep up. */
class SlowListenerTest {

  /** Asked for, granted, released. */
  private static final int STEPS = 3;

  private static final int LEASES = 10_000;

  private final CapturedLog log = new CapturedLog();
  private final Queue<Runnable> callbacks = new ArrayDeque<>();
  private final LockClient client =
      new MemoryServer(new ManualTime())
          .open(ClientOptions.defaults().withCallbackExecutor(callbacks::add));
  private final DistributedLock lock = client.lock("a");

  @AfterEach
  void close() {
    client.close();
    log.close();
  }

  @Test
  @Timeout(60)
  void itMissesSomeWhichIsSaidAndHearsWhatComesAfterwards() throws InterruptedException {
    List<LockEvent> heard = new ArrayList<>();
    client.addListener(heard::add);
    for (int i = 0; i < LEASES; i++) {
      lock.acquire().release();
    }
    runCallbacks();
    int missed = LEASES * STEPS - heard.size();
    assertTrue(missed > 0, "nothing bounds what waits for a listener");
    String told = "A lock listener was too slow and missed " + missed + " events";
    assertEquals(1, log.lines(told).size(), log.text());

    heard.clear();
    lock.acquire().release();
    runCallbacks();
    assertEquals(
        List.of(LockEvent.Attempted.class, LockEvent.Granted.class, LockEvent.Released.class),
        heard.stream().map(LockEvent::getClass).toList());
  }

  private void runCallbacks() {
    for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
      task.run();
    }
  }
}
