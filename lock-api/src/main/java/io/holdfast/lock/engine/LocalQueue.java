/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions and the tenures of one name in one client. Only the first of many acquisitions
 * talks to the backend, and only if what it asks for fits together with what this client has; the
 * others wait here, in the order of their arrival. That keeps herds away from the backend, and
 * means that the claims of a client never wait for each other there.
 *
 * <p>Of a lock, a client has one claim at most. Of a semaphore it may have one for each lease, and
 * readers share a claim while its bounds of hand-over allow.
 *
 * <p>Everything is done on one strand, which the acquisitions share.
 */
final class LocalQueue {

  final String lockName;
  final Strand strand = new Strand();

  private final EngineClient client;

  /** Made when somebody has to wait, which mostly nobody has. */
  private Set<Acquisition> waiting = Collections.emptySet();

  /** Asks the backend, or has ended and is only tidying up. Written on the strand. */
  private volatile @Nullable Acquisition contending;

  /** The tenures that this client has of the name. Replaced on the strand. */
  private volatile List<Tenure> held = List.of();

  /** With which the name is in use, as the server said last; 0 before that. On the strand. */
  private int capacity;

  /** Made when the server has told another client to ask. Written on the strand. */
  private volatile @Nullable OthersTurn othersTurn;

  /** How many acquisitions and tenures need this queue; kept by {@link LocalQueues}. */
  int users = 1;

  LocalQueue(EngineClient client, String lockName) {
    this.client = client;
    this.lockName = lockName;
  }

  /**
   * On the strand: begins to contend, shares a tenure, or waits for its turn. One that does not
   * want to wait is turned away, unless all who are before it may be granted what they ask for now:
   * behind a waiter, one attempt would last for as long as that waiter waits and holds.
   *
   * <p>The capacity of a semaphore can be changed, and this client is not told. So one that asks
   * for another capacity asks the server before those who wait for others of this client. Behind
   * one that asks already, an answer to what is asked from now on decides.
   */
  void join(Acquisition acquisition) {
    int inUse = capacityInUse(acquisition);
    boolean differs = inUse != acquisition.share.capacity();
    if (refuses(acquisition, inUse, false)) {
      return;
    } else if ((differs || waiting.isEmpty()) && enters(acquisition, 0)) {
      return;
    }
    Acquisition asking = contending;
    boolean willBeDecided = differs && asking != null && acquisition.leaveDecisionTo(asking);
    if (willBeDecided || acquisition.waits() || isNext(acquisition)) {
      queue(acquisition, differs);
      acquisition.queued();
    } else {
      acquisition.turnedAway();
    }
  }

  private void queue(Acquisition acquisition, boolean differs) {
    if (waiting.isEmpty()) {
      waiting = new LinkedHashSet<>();
    }
    List<Acquisition> behind = differs ? withoutRoom(capacityInUse(acquisition)) : List.of();
    behind.forEach(waiting::remove);
    waiting.add(acquisition);
    waiting.addAll(behind);
  }

  /** From the first on for whom this client and those ahead leave no room: all that wait. */
  private List<Acquisition> withoutRoom(int inUse) {
    List<Acquisition> behind = new ArrayList<>();
    long permits = permitsHeld(false);
    Acquisition asking = contending;
    if (asking != null && !asking.isLeaving() && asking.share.capacity() == inUse) {
      permits += asking.share.permits();
    }
    for (Acquisition one : waiting) {
      boolean hasRoom = one.share.capacity() != inUse || fits(one, permits);
      permits += one.share.capacity() == inUse ? one.share.permits() : 0;
      if (!hasRoom || !behind.isEmpty()) {
        behind.add(one);
      }
    }
    return behind;
  }

  /** The capacity with which this client uses the name; that of the newcomer if it does not. */
  private int capacityInUse(Acquisition newcomer) {
    for (Tenure tenure : held) {
      if (!tenure.isLeaving()) {
        return capacity;
      }
    }
    Acquisition ahead = contending;
    if ((ahead == null || ahead.isLeaving()) && isWanted()) {
      ahead = waiting.iterator().next();
    }
    return ahead == null || ahead.isLeaving() ? newcomer.share.capacity() : ahead.share.capacity();
  }

  /** Refuses one that asks for another capacity, unless that may have been changed since. */
  private boolean refuses(Acquisition acquisition, int inUse, boolean justTold) {
    int asked = acquisition.share.capacity();
    if (asked == inUse || (!justTold && mayChange(inUse, asked))) {
      return false;
    }
    acquisition.refused(new LockCapacityException(lockName, asked, inUse));
    return true;
  }

  /** The same, by what the server has told the one that contends. */
  private boolean refuses(Acquisition behind) {
    int inUse = capacityInUse(behind);
    Acquisition asking = contending;
    boolean justTold =
        asking != null && asking.share.capacity() == inUse && asking.isToldToWait(behind);
    return refuses(behind, inUse, justTold);
  }

  /** Only semaphores can be changed, and only into semaphores. */
  private static boolean mayChange(int from, int to) {
    return Math.min(from, to) > 1 && Math.max(from, to) <= Share.MOST_PERMITS;
  }

  /** On the strand: what the server has said about the capacity of the name. */
  void capacityIs(int told) {
    capacity = told;
  }

  /** Shares a tenure, or begins to contend, if there is room for it or the server has to decide. */
  private boolean enters(Acquisition acquisition, long releaseBackoff) {
    int asked = acquisition.share.capacity();
    for (Tenure tenure : held) {
      if (asked != capacity && (tenure.isLeaving() || !mayChange(capacity, asked))) {
        return false;
      }
      if (tenure.leases.mayShare() && acquisition.inherit(tenure, true)) {
        client.leave(this);
        return true;
      }
    }
    if (contending != null || (asked == capacity && !fits(acquisition, permitsHeld(false)))) {
      return false;
    }
    contending = acquisition;
    OthersTurn others = othersTurn;
    acquisition.contend(others == null ? releaseBackoff : Math.max(releaseBackoff, others.left()));
    return true;
  }

  private static boolean fits(Acquisition acquisition, long permitsBefore) {
    return permitsBefore + acquisition.share.permits() <= acquisition.share.capacity();
  }

  private long permitsHeld(boolean butLeaving) {
    long permits = 0;
    for (Tenure tenure : held) {
      permits += butLeaving && tenure.isLeaving() ? 0 : tenure.permitsAtBackend();
    }
    return permits;
  }

  /** Whether it gets its answer without waiting for anybody who waits or holds. */
  private boolean isNext(Acquisition acquisition) {
    long permits = permitsHeld(true);
    Acquisition asking = contending;
    if (asking != null && !asking.isLeaving()) {
      if (asking.hasToWait()) {
        return false;
      }
      permits += asking.share.permits();
    }
    for (Acquisition before : waiting) {
      // Of two capacities the server refuses one.
      if (before.share.capacity() == acquisition.share.capacity()) {
        permits += before.share.permits();
      }
    }
    return fits(acquisition, permits);
  }

  /**
   * On the strand: the one that contends has to wait, and so would all behind it; or a tenure that
   * seemed to leave stays. One that asks for another capacity is not in the way of the others.
   */
  void hasToWait() {
    List<Acquisition> all = List.copyOf(waiting);
    int inUse = all.isEmpty() ? 0 : capacityInUse(all.get(0));
    Acquisition asking = contending;
    boolean isAsking = asking != null && asking.isAsking();
    for (Acquisition behind : all) {
      boolean differs = behind.share.capacity() != inUse;
      if (behind.waits() && !differs) {
        continue;
      }
      boolean stays = behind.waits() || (differs && isAsking);
      // The end of one may have let in others that were behind it.
      if (waiting.contains(behind) && !refuses(behind) && !stays) {
        behind.turnedAway();
      }
    }
  }

  /** From any thread: the leases that are held and that this thread has asked for. */
  List<LeaseLife> heldBy(Thread thread) {
    return held.stream()
        .flatMap(tenure -> tenure.leases.all().stream())
        .filter(life -> life.isHeld() && life.isAskedForBy(thread))
        .toList();
  }

  /** On the strand: a waiter ended before its turn; what it asked for may have kept others out. */
  void leave(Acquisition acquisition) {
    if (waiting.remove(acquisition) && !client.isClosed()) {
      proceed(0);
    }
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
    if (contending != null || !heir.inherit(tenure, false)) {
      return false;
    }
    next.remove();
    client.leave(this);
    // There may be room for others as well, which it has kept out until now.
    proceed(0);
    return true;
  }

  /** From any thread, without waiting for the strand: numbers may be a moment old. */
  LockStatus status() {
    List<Tenure> tenures = held;
    Acquisition asking = contending;
    OthersTurn others = othersTurn;
    int turns = others == null ? 0 : others.underWay();
    int ended = tenures.size() + turns + (asking != null && asking.isLeaving() ? 1 : 0);
    List<Duration> validities =
        tenures.stream()
            .flatMap(tenure -> tenure.leases.all().stream())
            .flatMap(lease -> lease.validity().stream())
            .toList();
    return new LockStatus(
        lockName,
        validities.stream().min(Duration::compareTo),
        Math.max(0, users - ended),
        validities.size(),
        validities.isEmpty() ? Optional.empty() : Optional.of(tenures.get(0).share().mode()));
  }

  /** On the strand: the one that contended has a tenure. */
  void granted(Tenure tenure) {
    contending = null;
    capacity = tenure.share().capacity();
    if (held.isEmpty()) {
      held = List.of(tenure);
    } else {
      List<Tenure> more = new ArrayList<>(held);
      more.add(tenure);
      held = List.copyOf(more);
    }
  }

  /** From any thread: the acquisition that contended has ended without a lease. */
  void exit() {
    strand.execute(
        () -> {
          contending = null;
          proceed(0);
          client.leave(this);
        });
  }

  /**
   * From any thread: a tenure has ended.
   *
   * @param releaseBackoff for how many nanoseconds the next lets other clients go first
   */
  void exit(Tenure tenure, long releaseBackoff) {
    strand.execute(
        () -> {
          held =
              held.size() == 1
                  ? List.of()
                  : held.stream().filter(other -> other != tenure).toList();
          OthersTurn others = othersTurn;
          boolean kept = others != null && !client.isClosed() && others.beginIfDue();
          proceed(releaseBackoff);
          if (!kept) {
            client.leave(this);
          }
        });
  }

  /**
   * On the strand: the server has told another client to ask for what this one gives back. A
   * release that was sent again may be answered when its tenure has ended long since.
   */
  void othersFirst(Tenure givenBack) {
    if (!held.contains(givenBack)) {
      return;
    }
    OthersTurn others = othersTurn;
    if (others == null) {
      others = new OthersTurn(client.time, strand, () -> client.leave(this));
      othersTurn = others;
    }
    others.isDue();
  }

  /** On the strand: lets those in who have room now, in their order. */
  void proceed(long releaseBackoff) {
    while (isWanted()) {
      Iterator<Acquisition> next = waiting.iterator();
      Acquisition first = next.next();
      if (!enters(first, releaseBackoff)) {
        return;
      }
      next.remove();
    }
  }

  /** From any thread: the client is closed. */
  void close() {
    strand.execute(
        () -> {
          Set.copyOf(waiting).forEach(Acquisition::closed);
          Acquisition asking = contending;
          if (asking != null) {
            asking.closed();
          }
          OthersTurn others = othersTurn;
          if (others != null) {
            others.end();
          }
        });
  }
}
