/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import java.util.function.Predicate;

/**
 * Counts what those ahead of a contender give back, so that it looks again only when it may be
 * granted what it waits for. For one thread at a time.
 */
public final class FreedPermits implements Predicate<Event> {

  private final long revision;
  private long missing;

  /**
   * Nothing is given back yet.
   *
   * @param revision of the contender that waits
   * @param missing how many permits those ahead have to give back
   */
  public FreedPermits(long revision, long missing) {
    this.revision = revision;
    this.missing = missing;
  }

  /** Whether it is enough with this event, or nothing is known of what was given back. */
  @Override
  public boolean test(Event event) {
    KeyValue now = event.getKv();
    boolean gone = event.getType() == Event.EventType.DELETE;
    if (!event.hasPrevKv()) {
      return gone || now.getCreateRevision() < revision;
    }
    KeyValue before = event.getPrevKv();
    if (before.getCreateRevision() >= revision) {
      return false;
    }
    ClaimValue had = ClaimValue.known(before);
    ClaimValue has = gone ? had.reducedTo(0) : ClaimValue.known(now);
    missing -= had.permits() - has.permits();
    return missing <= 0 || had.capacity() != has.capacity();
  }
}
