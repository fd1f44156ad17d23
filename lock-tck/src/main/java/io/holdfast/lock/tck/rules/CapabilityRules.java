/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Locks;

/** CP: what is promised is what is said. */
public final class CapabilityRules {

  @Rule("CP-1")
  public void theBackendSaysWhatItPromises(RuleContext context) {
    context.checkEquals(context.promises(), context.client().capabilities(), "capabilities");
  }

  @Rule("CP-2")
  public void theProviderIsFoundByItsName(RuleContext context) {
    String provider = String.valueOf(context.settings().get("provider"));
    context.check(
        Locks.providers().contains(provider), provider + " is not in " + Locks.providers());
  }

  @Rule("CP-3")
  public void theProviderSaysTheSameWithoutConnecting(RuleContext context) {
    String provider = String.valueOf(context.settings().get("provider"));
    context.checkEquals(
        context.promises(), Locks.provider(provider).capabilities(), "what the provider says");
  }
}
