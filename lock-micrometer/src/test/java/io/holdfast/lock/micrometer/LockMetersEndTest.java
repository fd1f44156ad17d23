/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static io.holdfast.lock.micrometer.MeterHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClient.Subscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockMetersEndTest {

  private final MeterHarness scene = new MeterHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEventThatIsTakenAsTheMetersAreRemovedRegistersNone(boolean familyIsKnown) {
    LockClient client = scene.client();
    AtomicBoolean ends = new AtomicBoolean();
    CompletableFuture<Subscription> bound = new CompletableFuture<>();
    bound.complete(
        HoldfastMeters.bind(
            client,
            scene.registry,
            MeterOptions.defaults()
                .withFamilies(
                    name -> {
                      if (ends.get()) {
                        bound.join().close();
                      }
                      return "all";
                    })));
    if (familyIsKnown) {
      granted(client.lock("a").acquireAsync());
      assertFalse(scene.registry.getMeters().isEmpty());
    }
    ends.set(true);
    granted(client.readWriteLock("b").readLock().acquireAsync());
    assertEquals(List.of(), scene.registry.getMeters());
  }
}
