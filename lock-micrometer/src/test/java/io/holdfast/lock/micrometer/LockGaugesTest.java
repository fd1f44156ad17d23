/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static io.holdfast.lock.micrometer.MeterHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testsupport.CapturedLog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the gauges of several locks, and the family of each of them. */
class LockGaugesTest {

  private static final String HELD = "holdfast.lock.held";
  private static final String VALIDITY = "holdfast.lock.validity.min";

  private final MeterHarness scene = new MeterHarness();
  private final LockClient client = scene.client();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void theShortestValidityIsOfTheLeaseThatEndsFirst() {
    HoldfastMeters.bind(client, scene.registry);
    Lease first = granted(client.lock("a").acquireAsync());
    scene.seconds(2);
    granted(client.lock("b").acquireAsync());
    assertEquals(2, scene.gauge(HELD));
    // The TTL of 10 s, less a margin of one percent and 2 ms, and less what has passed.
    assertEquals(7.898, scene.gauge(VALIDITY), 1e-9);
    first.release();
    assertEquals(9.898, scene.gauge(VALIDITY), 1e-9);
    assertEquals(1, scene.gauge(HELD));
  }

  @Test
  void aFamilyHasANameThatCanBeShown() {
    HoldfastMeters.bind(client, scene.registry, MeterOptions.defaults().withFamiliesByPrefix());
    granted(client.lock(":7").acquireAsync());
    granted(client.lock(" :7").acquireAsync());
    granted(client.lock("a\u001b:7").acquireAsync());
    assertEquals(2, scene.gauge(HELD, "family", MeterOptions.OTHER));
    assertEquals(1, scene.gauge(HELD, "family", "a\\u001b"));
  }

  @Test
  void tooManyFamiliesAreWarnedOfOnce() {
    HoldfastMeters.bind(client, scene.registry, MeterOptions.defaults().withFamilies(name -> name));
    try (CapturedLog log = new CapturedLog()) {
      for (int i = 0; i < MeterOptions.MOST_FAMILIES; i++) {
        granted(client.lock("n" + i).acquireAsync());
      }
      assertEquals(List.of(), log.warnings("io.holdfast.lock.micrometer"));
      for (int i = 0; i < 10; i++) {
        granted(client.lock("more" + i).acquireAsync());
      }
      List<String> warnings = log.warnings("io.holdfast.lock.micrometer");
      assertEquals(1, warnings.size());
      assertTrue(warnings.get(0).contains("more than 100 families"), warnings.get(0));
    }
    assertEquals(10, scene.gauge(HELD, "family", MeterOptions.OTHER));
    assertEquals(1, scene.gauge(HELD, "family", "n99"));
  }
}
