/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Locks;

/** CP: what is promised is what is said. */
public final class CapabilityRules {

  @Rule(value = "CP-1", lookAt = "capabilities() of the backend, and Fixture.promises()")
  public void theBackendSaysWhatItPromises(RuleContext context) {
    context.checkEquals(
        context.promises(), context.client().capabilities(), "what the client says it promises");
  }

  @Rule(value = "CP-2", lookAt = "the provider in META-INF/services and module-info")
  public void theProviderIsFoundByItsName(RuleContext context) {
    String provider = String.valueOf(context.settings().get("provider"));
    context.check(
        Locks.providers().contains(provider),
        "expected '%s' among the providers, but found %s".formatted(provider, Locks.providers()));
  }

  @Rule(value = "CP-3", lookAt = "capabilities() of the provider")
  public void theProviderSaysTheSameWithoutConnecting(RuleContext context) {
    String provider = String.valueOf(context.settings().get("provider"));
    context.checkEquals(
        context.promises(),
        Locks.provider(provider).capabilities(),
        "what the provider says it promises");
  }
}
