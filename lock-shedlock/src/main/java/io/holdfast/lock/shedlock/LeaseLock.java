/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease as ShedLock knows it; each extension makes the next view of the same lease. */
final class LeaseLock extends AbstractSimpleLock {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseLock.class);
  private static final Duration SHORTEST_TTL = Duration.ofMillis(100);

  private final Lease lease;
  private final boolean renewed;
  private final Runnable forget;

  /** Until when the backend keeps the name taken after a release, by {@link System#nanoTime}. */
  private final long keptUntil;

  /** Until when it is to be taken; later than that only if an extension has moved it. */
  private final long takenUntil;

  LeaseLock(LockConfiguration configuration, Lease lease, boolean renewed, Runnable forget) {
    super(configuration);
    this.lease = lease;
    this.renewed = renewed;
    this.forget = forget;
    this.keptUntil = from(configuration.getLockAtLeastFor());
    this.takenUntil = keptUntil;
  }

  private LeaseLock(LockConfiguration configuration, LeaseLock before) {
    super(configuration);
    this.lease = before.lease;
    this.renewed = before.renewed;
    this.forget = before.forget;
    this.keptUntil = before.keptUntil;
    Duration atLeast = configuration.getLockAtLeastFor();
    this.takenUntil = atLeast.isZero() ? before.takenUntil : from(atLeast);
  }

  private static long from(Duration now) {
    return System.nanoTime() + now.toNanos();
  }

  static Duration ttl(Duration wanted) {
    return wanted.compareTo(SHORTEST_TTL) < 0 ? SHORTEST_TTL : wanted;
  }

  @Override
  protected void doUnlock() {
    forget.run();
    if (!(takenUntil - keptUntil > 0 ? endsLater() : endsNow())) {
      LOG.warn(
          "Lock '{}' was lost before it was unlocked, so another process may have run the same task."
              + " Raise its lockAtMostFor, or renew it (HoldfastLockProvider with"
              + " Renewal.automatic())",
          VisibleText.of(lease.lockName()));
    }
  }

  private boolean endsNow() {
    return lease.release() != ReleaseOutcome.ALREADY_LOST;
  }

  private boolean endsLater() {
    long left = takenUntil - System.nanoTime();
    if (left <= 0) {
      return endsNow();
    }
    try {
      lease.expireIn(ttl(Duration.ofNanos(left)));
      return true;
    } catch (LockUnavailableException e) {
      // It ends then all the same, at the latest by its TTL.
      return true;
    } catch (LockLostException e) {
      return false;
    }
  }

  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
    LeaseLock next = new LeaseLock(extended, this);
    Duration ttl = ttl(extended.getLockAtMostFor());
    try {
      if (!renewed) {
        lease.expireIn(ttl);
      } else if (next.takenUntil - keptUntil <= 0) {
        lease.extend(ttl);
      } else {
        throw new UnsupportedOperationException(
            "Lock '%s' is renewed, so its lockAtLeastFor cannot be extended; set it when it is locked"
                .formatted(VisibleText.of(lease.lockName())));
      }
      return Optional.of(next);
    } catch (LockLostException e) {
      return Optional.empty();
    }
  }
}
