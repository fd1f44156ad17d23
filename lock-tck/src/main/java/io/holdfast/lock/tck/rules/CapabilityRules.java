/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Locks;

/** CP: what is promised is what is said. */
public final class CapabilityRules {

  @Rule("CP-1")
  public void theBackendSaysWhatItPromises(Bench bench) {
    bench.checkEquals(bench.promises(), bench.client().capabilities(), "capabilities");
  }

  @Rule("CP-2")
  public void theProviderIsFoundByItsName(Bench bench) {
    String provider = String.valueOf(bench.settings().get("provider"));
    bench.check(Locks.providers().contains(provider), provider + " is not in " + Locks.providers());
  }

  @Rule("CP-3")
  public void theProviderSaysTheSameWithoutConnecting(Bench bench) {
    String provider = String.valueOf(bench.settings().get("provider"));
    bench.checkEquals(
        bench.promises(), Locks.provider(provider).capabilities(), "what the provider says");
  }
}
