/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockEvent.EarlyWarning;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which warnings the options give to listeners, and to callbacks without a time of their own.
 */
class EarlyWarningTest {

  private static final Duration LEFT = Duration.ofSeconds(3);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LockOptions WARNED = MemoryHarness.TEN_SECONDS.withEarlyWarning(LEFT);

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  private List<EarlyWarning> warnings() {
    return scene.events.stream()
        .filter(EarlyWarning.class::isInstance)
        .map(EarlyWarning.class::cast)
        .toList();
  }

  @Test
  void listenersAreToldOnceOfEachTrouble() {
    Lease lease = granted(scene.client().lock("a", WARNED).acquireAsync());
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    lease.onRenewalFailing(told::add);
    scene.time.advance(MINUTE);
    assertEquals(List.of(), warnings(), "warned though renewals succeed");
    scene.server.goAway();
    scene.time.advance(lease.remaining().minus(LEFT).minusNanos(1));
    assertTrue(scene.count(LockEvent.RenewalFailed.class) > 0);
    assertEquals(List.of(), warnings(), "warned too early");
    scene.time.advance(Duration.ofNanos(1));
    EarlyWarning warning = warnings().get(0);
    assertEquals("a", warning.lockName());
    assertEquals(lease.ownerId(), warning.ownerId());
    assertEquals(lease.share(), warning.share());
    assertEquals(LEFT, warning.remaining());
    assertTrue(lease.isValid());
    scene.time.advance(Duration.ofSeconds(1));
    scene.server.comeBack();
    scene.time.advance(MINUTE);
    assertEquals(1, warnings().size(), "told again of the same trouble, or after it");
    scene.server.goAway();
    scene.time.advance(MINUTE);
    assertEquals(2, warnings().size(), "a trouble of its own, told once");
    assertEquals(2, told.size(), "callbacks of the lease");
    assertEquals(LEFT, told.get(1).remaining());
    int last = scene.events.lastIndexOf(warnings().get(1));
    assertTrue(
        scene.events.subList(last, scene.events.size()).stream()
            .anyMatch(LockEvent.Lost.class::isInstance),
        "not before the loss");
    scene.server.comeBack();
  }

  @Test
  void aServerThatIsSilentIsWarnedOfToo() {
    Lease lease = granted(scene.client().lock("a", WARNED).acquireAsync());
    scene.server.delayAnswers(MINUTE);
    scene.time.advance(lease.remaining().minus(LEFT).plusMillis(1));
    assertEquals(1, warnings().size());
    scene.server.delayAnswers(Duration.ZERO);
  }

  @Test
  void aWaiterThatIsPassedALockIsWarnedByItself() {
    HandOver hour = new HandOver(10, Duration.ofHours(1));
    DistributedLock lock = scene.client().lock("a", WARNED.withHandOver(hour));
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    first.release();
    Lease heir = granted(waiting);
    assertEquals(first.ownerId(), heir.ownerId());
    scene.server.goAway();
    scene.time.advance(heir.remaining());
    assertEquals(1, warnings().size());
    scene.server.comeBack();
  }

  @Test
  void eachReaderThatSharesIsToldOnceOfEachTrouble() {
    DistributedLock lock = scene.client().readWriteLock("a", WARNED).readLock();
    Lease one = granted(lock.acquireAsync());
    Lease two = granted(lock.acquireAsync());
    assertEquals(one.ownerId(), two.ownerId());
    List<String> told = new ArrayList<>();
    one.onRenewalFailing(warning -> told.add("one"));
    two.onRenewalFailing(warning -> told.add("two"));
    scene.server.goAway();
    scene.time.advance(one.remaining().minus(LEFT));
    assertEquals(List.of("one", "two"), told.stream().sorted().toList());
    scene.server.comeBack();
    scene.time.advance(MINUTE);
    scene.server.goAway();
    scene.time.advance(one.remaining().minus(LEFT));
    assertEquals(List.of("one", "one", "two", "two"), told.stream().sorted().toList());
    assertEquals(4, warnings().size(), "listeners");
    assertTrue(one.isValid() && two.isValid());
  }

  @Test
  void eachCallbackRunsWithAsMuchLeftAsItHasAskedFor() {
    Lease lease = granted(scene.client().lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    List<Duration> told = new ArrayList<>();
    for (int seconds : new int[] {4, 1, 3}) {
      lease.onRenewalFailing(Duration.ofSeconds(seconds), warning -> told.add(warning.remaining()));
    }
    scene.server.goAway();
    scene.time.advance(lease.remaining());
    assertEquals(
        List.of(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofSeconds(1)), told);
    scene.server.comeBack();
  }

  @Test
  void eachOfSeveralLocksIsWarnedOf() {
    Lease lease = granted(scene.client().allOf(List.of("a", "b"), WARNED).acquireAsync());
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    lease.onRenewalFailing(told::add);
    scene.server.goAway();
    scene.time.advance(MINUTE);
    assertEquals(List.of("a", "b"), warnings().stream().map(LockEvent::lockName).sorted().toList());
    assertEquals(2, told.size());
    scene.server.comeBack();
  }

  @Test
  void aLeaseThatIsReleasedInTimeOrNotRenewedIsNotWarnedOf() {
    LockClient client = scene.client();
    Lease released = granted(client.lock("a", WARNED).acquireAsync());
    Lease fixed = granted(client.lock("b", WARNED.withRenewal(Renewal.none())).acquireAsync());
    fixed.onRenewalFailing(warning -> scene.events.clear());
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(6));
    released.releaseAsync();
    scene.time.advance(MINUTE);
    assertEquals(List.of(), warnings());
    assertEquals(1, scene.count(LockEvent.Lost.class));
    scene.server.comeBack();
  }

  @Test
  void withoutTheOptionNobodyIsTold() {
    Lease lease = granted(scene.client().lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> lease.onRenewalFailing(warning -> {}));
    assertTrue(String.valueOf(refused.getMessage()).contains("withEarlyWarning"));
    scene.server.goAway();
    scene.time.advance(MINUTE);
    assertEquals(List.of(), warnings());
    scene.server.comeBack();
  }

  @Test
  void aWarningIsPositive() {
    assertThrows(IllegalArgumentException.class, () -> WARNED.withEarlyWarning(Duration.ZERO));
  }
}
