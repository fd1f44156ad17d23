/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The leases and waiters of a client, as it knows them itself: no server was asked. For monitoring.
 * The locks were looked at one after another while they changed, so their sum is approximate.
 *
 * @param locks those that this client holds or waits for, in no order
 * @param outages how often the server stopped answering since the client was opened
 * @param outageTime how long all outages together lasted so far: each from its first to its latest
 *     request without an answer. It does not grow while nothing is asked
 */
public record ClientStatus(List<LockStatus> locks, long outages, Duration outageTime) {

  /**
   * Copies the list.
   *
   * @param locks the locks
   * @param outages how many
   * @param outageTime how long
   */
  public ClientStatus {
    locks = List.copyOf(locks);
  }

  /**
   * One lock.
   *
   * @param lockName its name
   * @param validity for how long the lease that this client holds is valid from now, or the one of
   *     several that ends first; empty if it holds none
   * @param waiters how many acquisitions of this client have not ended
   * @param leases how many leases this client holds: more than one of readers and of permits only
   * @param mode what these are leases of; empty if it holds none
   */
  public record LockStatus(
      String lockName,
      Optional<Duration> validity,
      int waiters,
      int leases,
      Optional<Share.Mode> mode) {

    /** One line, with control characters escaped. */
    @Override
    public String toString() {
      return VisibleText.of(
          "LockStatus[lockName=%s, validity=%s, waiters=%s, leases=%s, mode=%s]"
              .formatted(lockName, validity, waiters, leases, mode));
    }
  }
}
