/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static io.holdfast.lock.micrometer.MeterHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClient.Subscription;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each meter, with exact values. */
class LockMetersTest {

  private final MeterHarness scene = new MeterHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  private LockClient bound() {
    LockClient client = scene.client();
    HoldfastMeters.bind(client, scene.registry);
    return client;
  }

  private double losses(String reason) {
    return scene.count("holdfast.lock.losses", "reason", reason);
  }

  private double attempts(String outcome) {
    return scene.count("holdfast.lock.attempts", "outcome", outcome);
  }

  private FunctionTimer outage() {
    return scene.find("holdfast.outage").functionTimer();
  }

  @Test
  void anUncontendedLockIsHeldAndReleased() {
    LockClient client = bound();
    assertEquals(0, scene.gauge("holdfast.lock.held"));
    assertTrue(Double.isNaN(scene.gauge("holdfast.lock.validity.min")));
    Lease lease = granted(client.lock("a").acquireAsync());
    assertEquals(1, scene.gauge("holdfast.lock.held"));
    // The TTL of 10 s, less a margin of one percent and 2 ms.
    assertEquals(9.898, scene.gauge("holdfast.lock.validity.min"), 1e-9);
    scene.seconds(2);
    assertEquals(7.898, scene.gauge("holdfast.lock.validity.min"), 1e-9);
    scene.seconds(3);
    lease.release();
    assertEquals(0, scene.gauge("holdfast.lock.held"));
    assertEquals(1, attempts("granted"));
    assertEquals(0, attempts("contended"));
    Timer held = scene.timer("holdfast.lock.hold", "outcome", "released");
    assertEquals(1, held.count());
    assertEquals(5, MeterHarness.seconds(held));
    assertEquals(1, scene.count("holdfast.lock.renewals", "outcome", "extended"));
    assertEquals(0, scene.count("holdfast.lock.losses"));
  }

  @Test
  void aWaiterOfAnotherClientWaitsAsLongAsTheLockIsHeld() {
    Lease first = granted(scene.client().lock("a").acquireAsync());
    LockClient client = bound();
    CompletableFuture<Lease> second = client.lock("a").acquireAsync();
    assertEquals(1, scene.gauge("holdfast.lock.waiters"));
    assertEquals(1, attempts("contended"));
    scene.seconds(0.25);
    first.release();
    scene.seconds(0);
    assertTrue(granted(second).isValid());
    assertEquals(0, scene.gauge("holdfast.lock.waiters"));
    Timer waited = scene.timer("holdfast.lock.wait", "outcome", "granted");
    assertEquals(1, waited.count());
    assertEquals(0.25, MeterHarness.seconds(waited));
    assertEquals(1, attempts("granted"));
    assertEquals(0, scene.count("holdfast.lock.handovers"));
  }

  @Test
  void aHandOverIsAGrantWithoutAnAttempt() {
    LockClient client = bound();
    Lease first = granted(client.lock("a").acquireAsync());
    List<CompletableFuture<Lease>> others =
        List.of(client.lock("a").acquireAsync(), client.lock("a").acquireAsync());
    assertEquals(2, scene.gauge("holdfast.lock.waiters"));
    assertEquals(1, scene.gauge("holdfast.lock.held"));
    scene.seconds(0.03125);
    first.release();
    assertEquals(1, scene.gauge("holdfast.lock.waiters"));
    assertEquals(1, scene.gauge("holdfast.lock.held"));
    granted(others.get(0)).release();
    granted(others.get(1)).release();
    assertEquals(0, scene.gauge("holdfast.lock.waiters"));
    assertEquals(2, scene.count("holdfast.lock.handovers"));
    assertEquals(1, attempts("granted"));
    assertEquals(3, scene.timer("holdfast.lock.wait", "outcome", "granted").count());
    assertEquals(
        0.0625, MeterHarness.seconds(scene.timer("holdfast.lock.wait", "outcome", "granted")));
  }

  @Test
  void acquisitionsThatEndWithoutALeaseAreCountedByReason() {
    Lease first = granted(scene.client().lock("a").acquireAsync());
    LockClient client = bound();
    client.lock("a").tryAcquireAsync(Duration.ofSeconds(2));
    CompletableFuture<Lease> cancelled = client.lock("a").acquireAsync();
    scene.seconds(2);
    assertEquals(
        2, MeterHarness.seconds(scene.timer("holdfast.lock.wait", "outcome", "timed_out")));
    cancelled.cancel(false);
    assertEquals(
        2, MeterHarness.seconds(scene.timer("holdfast.lock.wait", "outcome", "cancelled")));
    scene.server.goAway();
    client.lock("a").tryAcquireAsync();
    assertEquals(1, scene.timer("holdfast.lock.wait", "outcome", "failed").count());
    assertEquals(1, attempts("failed"));
    scene.server.comeBack();
    client.lock("a").acquireAsync();
    client.close();
    assertEquals(1, scene.timer("holdfast.lock.wait", "outcome", "closed").count());
    assertEquals(0, scene.gauge("holdfast.lock.waiters"));
    first.release();
  }

  @Test
  void lossesAreCountedByReason() {
    LockClient client = bound();
    granted(client.lock("a").acquireAsync());
    scene.seconds(1);
    scene.server.revoke("a");
    scene.seconds(9);
    assertEquals(1, losses("revoked"));
    assertEquals(1, scene.timer("holdfast.lock.hold", "outcome", "lost").count());
    var fixed = client.lock("b");
    Lease ends = granted(fixed.with(fixed.options().withRenewal(Renewal.none())).acquireAsync());
    ends.expireInAsync(Duration.ofSeconds(2));
    assertEquals(1, scene.count("holdfast.lock.earlier.ends", "mode", "lock"));
    scene.seconds(3);
    assertEquals(1, losses("expired"));
    granted(client.lock("c").acquireAsync());
    client.close();
    assertEquals(1, losses("client_closed"));
    assertEquals(3, scene.count("holdfast.lock.losses"));
    assertEquals(0, scene.gauge("holdfast.lock.held"));
  }

  @Test
  void earlyWarningsAreCounted() {
    DistributedLock lock = bound().lock("a");
    LockOptions warned = lock.options().withEarlyWarning(Duration.ofSeconds(3));
    Lease lease = granted(lock.with(warned).acquireAsync());
    scene.seconds(30);
    assertEquals(0, scene.count("holdfast.lock.early.warnings"));
    scene.server.goAway();
    scene.seconds(9.5);
    assertEquals(1, scene.count("holdfast.lock.early.warnings", "mode", "lock"));
    scene.server.comeBack();
    lease.release();
  }

  @Test
  void anOutageLastsFromItsFirstFailureToItsLast() {
    LockClient client = bound();
    Lease lease = granted(client.lock("a").acquireAsync());
    scene.server.goAway();
    scene.seconds(9.8);
    assertEquals(1, outage().count());
    double renewalsFailed = scene.count("holdfast.lock.renewals", "outcome", "failed");
    assertTrue(renewalsFailed >= 3, "failed " + renewalsFailed);
    // The first renewal is due after a third of the TTL.
    double lasted = outage().totalTime(TimeUnit.SECONDS);
    assertTrue(lasted > 5 && lasted <= 9.8 - 3.3, "lasted " + lasted);
    assertTrue(scene.gauge("holdfast.lock.validity.min") < 0.1);
    assertTrue(lease.isValid());
    scene.seconds(0.2);
    assertEquals(1, losses("unreachable"));
    scene.server.comeBack();
    granted(client.lock("b").acquireAsync());
    lasted = outage().totalTime(TimeUnit.SECONDS);
    scene.seconds(60);
    assertEquals(1, outage().count());
    assertEquals(lasted, outage().totalTime(TimeUnit.SECONDS));
    scene.server.goAway();
    client.lock("c").tryAcquireAsync();
    assertEquals(2, outage().count());
  }

  @Test
  void aReleaseWithoutAnAnswerIsUnknown() {
    LockClient client = bound();
    Lease lease = granted(client.lock("a").acquireAsync());
    scene.server.goAway();
    lease.release();
    assertEquals(1, scene.timer("holdfast.lock.hold", "outcome", "unknown").count());
    assertEquals(0, scene.timer("holdfast.lock.hold", "outcome", "released").count());
  }

  @Test
  void modesAreToldApart() {
    LockClient client = bound();
    DistributedReadWriteLock prices = client.readWriteLock("prices");
    Lease first = granted(prices.readLock().acquireAsync());
    Lease second = granted(prices.readLock().acquireAsync());
    Lease lock = granted(client.lock("a").acquireAsync());
    Lease permits = granted(client.semaphore("exports", 3).permits(2).acquireAsync());
    assertEquals(2, scene.gauge("holdfast.lock.held", "mode", "read"));
    assertEquals(1, scene.gauge("holdfast.lock.held", "mode", "permits"));
    assertEquals(1, scene.gauge("holdfast.lock.held", "mode", "lock"));
    CompletableFuture<Lease> writer = prices.writeLock().acquireAsync();
    assertEquals(1, scene.gauge("holdfast.lock.waiters"));
    first.release();
    second.release();
    scene.seconds(0.25);
    assertEquals(0, scene.gauge("holdfast.lock.held", "mode", "read"));
    assertEquals(1, scene.gauge("holdfast.lock.held", "mode", "write"));
    assertEquals(9.898, scene.gauge("holdfast.lock.validity.min", "mode", "write"), 0.25);
    assertTrue(Double.isNaN(scene.gauge("holdfast.lock.validity.min", "mode", "read")));
    granted(writer).release();
    lock.release();
    permits.release();
    for (String mode : List.of("lock", "read", "write", "permits")) {
      Timer held = scene.timer("holdfast.lock.hold", "mode", mode, "outcome", "released");
      assertEquals(mode.equals("read") ? 2 : 1, held.count(), mode);
    }
    assertEquals(1, scene.count("holdfast.lock.attempts", "mode", "write", "outcome", "granted"));
  }

  @Test
  void namesAreNoTagsUnlessAFunctionMapsThem() {
    LockClient client = bound();
    granted(client.lock("orders:7").acquireAsync());
    assertTrue(
        scene.registry.getMeters().stream()
            .flatMap(meter -> meter.getId().getTags().stream())
            .noneMatch(tag -> tag.getValue().contains("orders")));
  }

  @Test
  void familiesAreToldApart() {
    LockClient client = scene.client();
    HoldfastMeters.bind(client, scene.registry, MeterOptions.defaults().withFamiliesByPrefix());
    granted(client.lock("orders:7").acquireAsync());
    granted(client.within("orders").lock("8").acquireAsync());
    granted(client.lock("stock:1").acquireAsync());
    granted(client.lock("plain").acquireAsync());
    assertEquals(2, scene.gauge("holdfast.lock.held", "family", "orders"));
    assertEquals(1, scene.gauge("holdfast.lock.held", "family", "stock"));
    assertEquals(1, scene.gauge("holdfast.lock.held", "family", "other"));
    assertEquals(
        2, scene.count("holdfast.lock.attempts", "family", "orders", "outcome", "granted"));
  }

  @Test
  void tooManyFamiliesAndMistakesAreOther() {
    LockClient client = scene.client();
    HoldfastMeters.bind(
        client,
        scene.registry,
        MeterOptions.defaults()
            .withFamilies(
                name -> {
                  if (name.equals("thrown")) {
                    throw new IllegalStateException(name);
                  }
                  return name.equals("none") ? null : name;
                }));
    granted(client.lock("thrown").acquireAsync());
    granted(client.lock("none").acquireAsync());
    assertEquals(2, scene.gauge("holdfast.lock.held", "family", "other"));
    for (int i = 0; i < 300; i++) {
      granted(client.lock("n" + i).acquireAsync());
    }
    long families = scene.registry.find("holdfast.lock.held").gauges().size();
    assertEquals(MeterOptions.MOST_FAMILIES, families);
    assertEquals(302, scene.gauge("holdfast.lock.held"));
    assertEquals(302, attempts("granted"));
  }

  @Test
  void aViewMeasuresItsOwnLocks() {
    LockClient client = scene.client();
    HoldfastMeters.bind(client.within("orders"), scene.registry);
    granted(client.lock("stock:1").acquireAsync());
    granted(client.lock("orders:1").acquireAsync());
    assertEquals(1, scene.gauge("holdfast.lock.held"));
    assertEquals(1, attempts("granted"));
  }

  @Test
  void twoClientsOfOneNameAreRefusedAndTheEndMakesRoom() {
    LockClient client = scene.client();
    Subscription first = HoldfastMeters.bind(client, scene.registry);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> HoldfastMeters.bind(scene.client(), scene.registry));
    assertTrue(String.valueOf(refused.getMessage()).contains("'default'"), refused.toString());
    Subscription second =
        HoldfastMeters.bind(
            scene.client(), scene.registry, MeterOptions.defaults().withClientName("second"));
    second.close();
    first.close();
    assertEquals(List.of(), scene.registry.getMeters());
    granted(client.lock("a").acquireAsync());
    assertEquals(List.of(), scene.registry.getMeters());
    HoldfastMeters.bind(client, scene.registry);
    assertFalse(scene.registry.getMeters().isEmpty());
    assertEquals(1, scene.gauge("holdfast.lock.held"));
  }

  @Test
  void aBlankClientNameIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> MeterOptions.defaults().withClientName(" "));
  }
}
