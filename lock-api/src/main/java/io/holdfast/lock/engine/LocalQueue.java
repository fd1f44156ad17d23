/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.ClientStatus.LockStatus;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions and the lease of one lock in one client. Only the first of many talks to the
 * backend; the others wait here, in the order of their arrival. That keeps herds away from the
 * backend, and means that a client has one live claim for a name at most.
 *
 * <p>Everything is done on one strand, which the acquisitions share.
 */
final class LocalQueue {

  /** Whose turn it is: an acquisition that contends, and then its lease. */
  interface Occupant {

    /** On the strand: whether it has ended already, and is only tidying up. */
    boolean isLeaving();
  }

  final String lockName;
  final Strand strand = new Strand();

  private final EngineClient client;

  /** Made when somebody has to wait, which mostly nobody has. */
  private Set<Acquisition> waiting = Collections.emptySet();

  /** Written on the strand. */
  private volatile @Nullable Occupant inside;

  /** How many acquisitions and leases need this queue; kept by {@link EngineClient}. */
  int users = 1;

  LocalQueue(EngineClient client, String lockName) {
    this.client = client;
    this.lockName = lockName;
  }

  /**
   * On the strand: begins to contend, or waits for its turn. Who does not want to wait is turned
   * away, unless whoever is inside has ended already and is only tidying up, and nobody waits for
   * that: behind a waiter, one attempt would last for as long as that waiter holds.
   */
  void join(Acquisition acquisition) {
    if (inside == null) {
      inside = acquisition;
      acquisition.contend(0);
    } else if (acquisition.waits() || (waiting.isEmpty() && inside.isLeaving())) {
      if (waiting.isEmpty()) {
        waiting = new LinkedHashSet<>();
      }
      waiting.add(acquisition);
      acquisition.queued();
    } else {
      acquisition.turnedAway();
    }
  }

  /** From any thread: the lease inside, if it is held and this thread has asked for it. */
  Optional<LeaseLife> heldBy(Thread thread) {
    return inside instanceof LeaseLife life && life.isHeld() && life.isAskedForBy(thread)
        ? Optional.of(life)
        : Optional.empty();
  }

  /** On the strand: a waiter ended before its turn. */
  void leave(Acquisition acquisition) {
    waiting.remove(acquisition);
    client.leave(this);
  }

  /** On the strand: whether somebody waits here. */
  boolean isWanted() {
    return !waiting.isEmpty();
  }

  /** On the strand, where it is wanted: lets the first have the lock from a tenure, if it may. */
  boolean passOn(Tenure tenure) {
    Iterator<Acquisition> next = waiting.iterator();
    Acquisition heir = next.next();
    if (!heir.inherit(tenure)) {
      return false;
    }
    next.remove();
    client.leave(this);
    return true;
  }

  /** From any thread, without waiting for the strand: numbers may be a moment old. */
  LockStatus status() {
    Occupant now = inside;
    if (now instanceof LeaseLife lease) {
      return new LockStatus(lockName, lease.validity(), Math.max(0, users - 1));
    }
    boolean leaving = now != null && now.isLeaving();
    return new LockStatus(lockName, Optional.empty(), leaving ? Math.max(0, users - 1) : users);
  }

  /** On the strand: the turn is a lease's. */
  void granted(LeaseLife lease) {
    inside = lease;
  }

  /** From any thread: the acquisition inside has failed, or its lease was lost. */
  void exit() {
    exit(0);
  }

  /**
   * From any thread: the lease inside has ended.
   *
   * @param releaseBackoff for how many nanoseconds the next lets other clients go first
   */
  void exit(long releaseBackoff) {
    strand.execute(
        () -> {
          inside = null;
          if (isWanted()) {
            Iterator<Acquisition> next = waiting.iterator();
            Acquisition acquisition = next.next();
            next.remove();
            inside = acquisition;
            acquisition.contend(releaseBackoff);
          }
          client.leave(this);
        });
  }

  /** From any thread: the client is closed. */
  void close() {
    strand.execute(
        () -> {
          Set.copyOf(waiting).forEach(Acquisition::closed);
          if (inside instanceof Acquisition contending) {
            contending.closed();
          }
        });
  }
}
