/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClient.Subscription;
import io.micrometer.core.instrument.MeterRegistry;

/** Binds a lock client to a registry of meters. */
public final class HoldfastMeters {

  private HoldfastMeters() {}

  /**
   * As {@link #bind(LockClient, MeterRegistry, MeterOptions)} with the defaults.
   *
   * @param client whose locks are measured
   * @param registry where the meters are
   * @return closing it removes the meters
   */
  public static Subscription bind(LockClient client, MeterRegistry registry) {
    return bind(client, registry, MeterOptions.defaults());
  }

  /**
   * Measures the locks of a client from now on. Costs the callers of locks nothing but an event
   * each: meters are updated on the client's callback executor, soon after what they count.
   *
   * @param client whose locks are measured; a view ({@link LockClient#within}) measures its own
   * @param registry where the meters are
   * @param options tags
   * @return closing it removes the meters. Close the client first, so that its last events count
   * @throws IllegalArgumentException if the registry has a client of that name already
   */
  public static Subscription bind(LockClient client, MeterRegistry registry, MeterOptions options) {
    LockMeters meters = new LockMeters(client, registry, options);
    Subscription events = client.addListener(meters);
    return () -> {
      events.close();
      meters.close();
    };
  }
}
