/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work under a lock as one observation. */
class ObservedLocksTest {

  private final MeterHarness scene = new MeterHarness();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final List<String> signals = new ArrayList<>();
  private final List<Observation.Context> ended = new ArrayList<>();
  private final ObservedLocks locks =
      new ObservedLocks(registry, MeterOptions.defaults().withFamiliesByPrefix());
  private final LockClient client = scene.client();

  @BeforeEach
  void listen() {
    registry
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStart(Observation.Context context) {
                signals.add("start");
              }

              @Override
              public void onEvent(Observation.Event event, Observation.Context context) {
                signals.add(event.getName());
              }

              @Override
              public void onStop(Observation.Context context) {
                signals.add("stop");
                ended.add(context);
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return ObservedLocks.NAME.equals(context.getName());
              }
            });
  }

  @AfterEach
  void close() {
    scene.close();
  }

  private String value(String key) {
    KeyValue found = ended.get(0).getLowCardinalityKeyValue(key);
    return Objects.requireNonNull(found, key).getValue();
  }

  @Test
  void theBodyRunsInTheScopeAndTheSpanHasTheCallersAsParent() throws InterruptedException {
    Observation caller = Observation.start("caller", registry);
    try (Observation.Scope scope = caller.openScope()) {
      assertSame(caller, scope.getCurrentObservation());
      locks.run(
          client.lock("orders:7"),
          lease ->
              assertEquals(
                  ObservedLocks.NAME,
                  Objects.requireNonNull(registry.getCurrentObservation()).getContext().getName()));
      assertSame(caller, registry.getCurrentObservation(), "its scope has ended with it");
    }
    caller.stop();
    assertEquals(List.of("start", "granted", "stop"), signals);
    assertSame(
        caller.getContextView(),
        Objects.requireNonNull(ended.get(0).getParentObservation()).getContextView());
    assertEquals("orders", value("family"));
    assertEquals("lock", value("mode"));
    assertEquals("released", value("outcome"));
    assertEquals(
        "orders:7",
        Objects.requireNonNull(ended.get(0).getHighCardinalityKeyValue("lock.name")).getValue());
  }

  @Test
  void aLossIsAnEventAtItsMomentAndAnError() {
    assertThrows(
        LockLostException.class,
        () ->
            locks.run(
                client.lock("a"),
                lease -> {
                  scene.server.revoke("a");
                  scene.time.advance(Duration.ofSeconds(5));
                  signals.add("work");
                }));
    assertEquals(List.of("start", "granted", "lost", "work", "stop"), signals);
    assertEquals("lost", value("outcome"));
    assertInstanceOf(LockLostException.class, ended.get(0).getError());
  }

  @Test
  void anAcquisitionThatFailsIsSaidSo() {
    client.close();
    LockClient other = scene.client();
    var lock = other.lock("a");
    other.close();
    assertThrows(RuntimeException.class, () -> locks.run(lock, lease -> {}));
    assertEquals(List.of("start", "stop"), signals);
    assertEquals("not_granted", value("outcome"));
  }

  @Test
  void codeThatReleasesByItselfTellsTheObservation() throws InterruptedException {
    Observation parent = Observation.start("parent", registry);
    ObservedRun run = locks.start(client.lock("orders:7"), parent);
    Lease lease = client.lock("orders:7").acquire();
    run.granted(lease);
    lease.release();
    run.stop();
    run.failed(new IllegalStateException("too late"));
    run.stop();
    assertEquals(List.of("start", "granted", "stop"), signals);
    assertEquals("released", value("outcome"));
    assertNull(ended.get(0).getError());
    assertSame(
        parent.getContextView(),
        Objects.requireNonNull(ended.get(0).getParentObservation()).getContextView());
  }

  /** As without an observation: nobody could release it. */
  @Test
  void aLeaseThatIsForgottenIsReleased() throws InterruptedException {
    forget();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!scene.server.owners().isEmpty()) {
      assertTrue(System.nanoTime() < end, "still held");
      System.gc();
      scene.time.advance(Duration.ofSeconds(5));
    }
  }

  private void forget() throws InterruptedException {
    locks.start(client.lock("a"), null).granted(client.lock("a").acquire());
    assertEquals(1, scene.server.owners().size());
  }

  /** Nothing need be thrown: the release says it, if it is asked. */
  @Test
  void aLossThatNobodyThrowsIsOneToo() throws InterruptedException {
    ObservedRun run = locks.start(client.lock("a"), null);
    Lease lease = client.lock("a").acquire();
    run.granted(lease);
    scene.server.revoke("a");
    lease.release();
    run.stop();
    assertEquals(List.of("start", "granted", "lost", "stop"), signals);
    assertEquals("lost", value("outcome"));
  }

  @Test
  void theBodysResultAndExceptionComeThrough() throws InterruptedException {
    assertEquals(7, locks.<Integer, RuntimeException>call(client.lock("a"), lease -> 7));
    IllegalStateException thrown = new IllegalStateException("the body's");
    assertSame(
        thrown,
        assertThrows(
            IllegalStateException.class,
            () ->
                locks.run(
                    client.lock("a"),
                    lease -> {
                      throw thrown;
                    })));
    assertSame(thrown, ended.get(1).getError());
    assertNull(registry.getCurrentObservation());
    assertEquals("released", value("outcome"));
  }
}
