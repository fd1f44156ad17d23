/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testsupport.CapturedLog;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Warnings of an outage, a thread that waits for itself, a dropped lease; names are escaped. */
class WarningsTest {

  private static final String OUTAGE = "WARN io.holdfast.lock.engine.OutageLog";
  private static final String RECOVERY = "INFO io.holdfast.lock.engine.OutageLog";

  private static final String WAITS = "WARN io.holdfast.lock.engine.EngineLock";

  private final CapturedLog log = new CapturedLog();
  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
    log.close();
  }

  @Test
  void anOutageIsWorthOneWarningAndItsEndOneLine() {
    DistributedLock held = scene.lock("a");
    Lease lease = granted(held.acquireAsync());
    scene.lock("b");
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(8));
    assertEquals(1, log.lines(OUTAGE).size(), log.lines(OUTAGE).toString());
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(5));
    assertTrue(lease.isValid());
    assertEquals(1, log.lines(OUTAGE).size(), log.lines(OUTAGE).toString());
    assertEquals(1, log.lines(RECOVERY).size(), log.lines(RECOVERY).toString());
  }

  @Test
  void aServerThatComesAndGoesDoesNotFloodTheLog() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    for (int i = 0; i < 10; i++) {
      scene.server.goAway();
      scene.time.advance(Duration.ofSeconds(4));
      scene.server.comeBack();
      scene.time.advance(Duration.ofSeconds(4));
    }
    assertTrue(lease.isValid());
    assertEquals(2, log.lines(OUTAGE).size(), log.lines(OUTAGE).toString());
    assertEquals(2, log.lines(RECOVERY).size(), log.lines(RECOVERY).toString());
  }

  @Test
  void aThreadThatWaitsForItselfIsToldBothPlaces() throws InterruptedException {
    try (LockClient client = new MemoryServer().open()) {
      Thread waits = new Thread(() -> waitForItself(client.lock("own")));
      waits.start();
      long begun = System.nanoTime();
      while (log.lines(WAITS).isEmpty()
          && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(30)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
      waits.interrupt();
      waits.join();
    }
    List<String> told = log.lines(WAITS);
    assertEquals(1, told.size(), told.toString());
    assertEquals(3, told.get(0).split("WarningsTest\\.java", -1).length, told.toString());
  }

  /** Until it is interrupted. */
  private static void waitForItself(DistributedLock lock) {
    assertThrows(
        InterruptedException.class,
        () -> lock.run(lease -> lock.tryAcquire(Duration.ofMinutes(1))));
  }

  @Test
  void aThreadThatWaitsForAnotherIsNotWarned() throws InterruptedException {
    try (LockClient client = new MemoryServer().open()) {
      DistributedLock lock = client.lock("others");
      lock.acquireAsync().join();
      assertFalse(lock.tryAcquire(Duration.ofMillis(1500)).isPresent());
    }
    assertEquals(List.of(), log.lines(WAITS));
  }

  @Test
  void aLeaseThatNothingRefersToIsWarnedOfOnceWithItsOrigin() throws InterruptedException {
    WeakReference<Lease> gone = acquired(scene.lock("dropped"));
    for (int i = 0; i < 100 && !gone.refersTo(null); i++) {
      System.gc();
    }
    assertTrue(gone.refersTo(null), "something still refers to the lease");
    scene.time.advance(Duration.ofSeconds(30));
    List<String> told = log.lines("WARN io.holdfast.lock.engine.Renewals");
    assertEquals(1, told.size(), told.toString());
    String warning = told.get(0);
    assertTrue(warning.contains("Lease[dropped, "), warning);
    assertTrue(warning.contains("nothing refers to it any more: it is released now"), warning);
    assertTrue(warning.contains("WarningsTest.acquired(WarningsTest.java:"), warning);
  }

  private static WeakReference<Lease> acquired(DistributedLock lock) throws InterruptedException {
    return new WeakReference<>(lock.acquire());
  }

  @Test
  void theNameOfALockIsEscapedWhereAListenerFails() {
    LockClient client = scene.client();
    client.addListener(
        event -> {
          throw new IllegalStateException("on purpose");
        });
    granted(client.lock("a\u001b[2J\nb").acquireAsync());
    List<String> told = log.lines("A lock listener failed on Granted");
    assertEquals(1, told.size(), log.text());
    assertTrue(told.get(0).contains("lockName=a\\u001b[2J\\u000ab,"), told.toString());
  }

  @Test
  void theNameOfALockIsEscapedWhereItIsNotHeld() {
    JavaLock lock = scene.lock("a\u001b[2J").asJavaLock();
    IllegalMonitorStateException told =
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
    assertTrue(
        String.valueOf(told.getMessage()).startsWith("Lock 'a\\u001b[2J' is not held"),
        told.getMessage());
  }
}
