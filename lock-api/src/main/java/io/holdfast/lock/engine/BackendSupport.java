/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.text.TimeText;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Refuses hold times and shares that a backend cannot keep, and names backends that can. */
final class BackendSupport {

  private BackendSupport() {}

  static void check(String lockName, HoldTimes asked, Retention retention) {
    if (!asked.lockDelay().isZero() && retention != Retention.SERVER) {
      throw refused(
          lockName, "a lock delay", asked.lockDelay(), found -> found == Retention.SERVER);
    }
    if (!asked.minimum().isZero() && retention == Retention.NONE) {
      throw refused(lockName, "a minimum hold", asked.minimum(), found -> found != Retention.NONE);
    }
  }

  static void check(String lockName, Share asked, Sharing sharing) {
    if (!isKept(asked, sharing)) {
      throw refused(
          "'%s' is to be %s, which its backend does not have (Capabilities.sharing())"
              .formatted(VisibleText.of(lockName), Share.describe(asked.capacity())),
          able -> isKept(asked, able.sharing()),
          "redis");
    }
  }

  static void checkChange(String lockName, Sharing sharing) {
    if (sharing != Sharing.PERMITS) {
      throw refused(
          "The capacity of '%s' is to be changed, which its backend cannot while it is in use (Capabilities.sharing()); when nobody holds or waits, the first that comes brings the new one"
              .formatted(VisibleText.of(lockName)),
          able -> able.sharing() == Sharing.PERMITS,
          "redis");
    }
  }

  private static boolean isKept(Share asked, Sharing sharing) {
    return switch (asked.mode()) {
      case LOCK -> true;
      case READ, WRITE -> sharing != Sharing.NONE;
      case PERMITS -> sharing.hasSemaphores();
    };
  }

  private static LockConfigurationException refused(
      String lockName, String what, Duration time, Predicate<Retention> can) {
    return refused(
        "Lock '%s' asks for %s of %s, which its backend cannot keep (Capabilities.retention())"
            .formatted(VisibleText.of(lockName), what, TimeText.of(time)),
        able -> can.test(able.retention()),
        "redis, redlock, etcd and postgres-table");
  }

  private static LockConfigurationException refused(
      String why, Predicate<Capabilities> can, String known) {
    List<String> others =
        Providers.all().stream()
            .filter(provider -> can.test(provider.capabilities()))
            .map(LockProvider::name)
            .toList();
    return new LockConfigurationException(
        why
            + (others.isEmpty()
                ? ". None on the class path can; " + known + " can"
                : ". Of the providers on the class path these can: " + others));
  }
}
