/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests signals before and after there is something that has to end. */
class ShutdownTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicInteger effects = new AtomicInteger();

  private static Thread signal(Shutdown shutdown) {
    Thread signal = new Thread(shutdown::signalled, "signal");
    signal.start();
    return signal;
  }

  /** Otherwise the wait for a command that was told to end would be over before it has ended. */
  @Test
  void anInterruptThatCameTooLateForTheWaitIsNotLeft() throws Exception {
    Thread signal;
    try (Shutdown shutdown = new Shutdown()) {
      signal = signal(shutdown);
      Conditions.until("the interrupt", PATIENCE, Thread.currentThread()::isInterrupted);
      shutdown.signals(effects::incrementAndGet);
      assertFalse(Thread.interrupted());
      assertEquals(1, effects.get());
    }
    signal.join();
  }

  @Test
  void aSignalHasTheEffectAndTheJvmLivesUntilTheEnd() throws Exception {
    Thread signal;
    try (Shutdown shutdown = new Shutdown()) {
      shutdown.signals(effects::incrementAndGet);
      assertEquals(0, effects.get());
      signal = signal(shutdown);
      Conditions.until("the effect", PATIENCE, () -> effects.get() == 1);
      Conditions.stays("it waits for the end", Duration.ofMillis(200), signal::isAlive);
      assertFalse(Thread.interrupted());
    }
    signal.join(PATIENCE.toMillis());
    assertFalse(signal.isAlive());
    assertEquals(1, effects.get());
  }

  /** Background work of the command would be ended by the exit of this JVM. */
  @Test
  void afterTheEndNothingHasAnEffect() {
    Shutdown shutdown = new Shutdown();
    shutdown.signals(effects::incrementAndGet);
    shutdown.close();
    shutdown.signalled();
    assertEquals(0, effects.get());
  }
}
