/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.text.TimeText;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Refuses hold times that a backend cannot keep, and names backends that can. */
final class Keepable {

  private Keepable() {}

  static void check(String lockName, HoldTimes asked, Retention retention) {
    if (!asked.lockDelay().isZero() && retention != Retention.SERVER) {
      throw refused(
          lockName, "a lock delay", asked.lockDelay(), found -> found == Retention.SERVER);
    }
    if (!asked.minimum().isZero() && retention == Retention.NONE) {
      throw refused(lockName, "a minimum hold", asked.minimum(), found -> found != Retention.NONE);
    }
  }

  private static LockConfigurationException refused(
      String lockName, String what, Duration time, Predicate<Retention> can) {
    List<String> others =
        Providers.names().stream()
            .filter(name -> can.test(Providers.find(name).capabilities().retention()))
            .toList();
    return new LockConfigurationException(
        "Lock '%s' asks for %s of %s, which its backend cannot keep (Capabilities.retention()). %s"
            .formatted(
                VisibleText.of(lockName),
                what,
                TimeText.of(time),
                others.isEmpty()
                    ? "None on the class path can; redis, redlock, etcd and postgres-table can"
                    : "Of the providers on the class path these can: " + others));
  }
}
