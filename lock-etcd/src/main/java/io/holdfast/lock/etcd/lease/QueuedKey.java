/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.queue.QueueEntry;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.spi.support.RequestedTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The key of a claim at etcd: its place in the queue, the lease that it hangs on, and which other
 * leases a put that arrives late may name. The methods wait for nothing.
 *
 * <p>The key moves to one lease at a time. A move whose answer was lost is sent again, to the same
 * lease, until it is known to be done: then the key's modification revision has changed, and the
 * lost one can change nothing any more.
 */
public final class QueuedKey {

  /**
   * Where the key hangs.
   *
   * @param modified since which revision
   */
  public record Place(ServerLease lease, long modified) {}

  /**
   * The state of the key when a request is sent that frees the lock. Afterwards its place is not
   * followed any more.
   *
   * @param place where it hangs; empty without a place
   * @param sentBefore whether such a request was sent before
   * @param uncertain whether a put or a delete may still be carried out
   */
  public record End(Optional<Place> place, boolean sentBefore, boolean uncertain) {}

  private static final long NOBODY = -1;

  private final QueueEntry entry;
  private final LongSupplier time;

  /** The lease that it is named after. */
  private long namesake;

  private long revision;
  private long modified;
  private @Nullable ServerLease lease;
  private @Nullable ServerLease target;
  private @Nullable ServerLease last;
  private List<ServerLease> former = List.of();
  private boolean unanswered;
  private boolean leaving;
  private boolean endSent;
  private RequestedTime requested;
  private long generation;
  private int ending;

  /**
   * Of a claim that has sent nothing.
   *
   * @param time a monotonic clock, in nanoseconds
   */
  public QueuedKey(QueueEntry entry, LongSupplier time) {
    this.entry = entry;
    this.time = time;
    this.requested = new RequestedTime(time);
  }

  /** The entry that is put with it. */
  public QueueEntry entry() {
    return entry;
  }

  public synchronized ByteString name() {
    return entry.key(namesake);
  }

  /** The create revision of the key: the place in the queue, and the token. 0 without a place. */
  public synchronized long revision() {
    return revision;
  }

  /** The lease that the key hangs on, or will. */
  public synchronized @Nullable ServerLease lease() {
    return lease;
  }

  /** Where the key hangs by what was seen last; empty without a place. */
  public synchronized Optional<Place> place() {
    return revision == 0
        ? Optional.empty()
        : Optional.ofNullable(lease).map(on -> new Place(on, modified));
  }

  /** The put is sent that joins the queue. */
  public synchronized void joining(ServerLease with) {
    namesake = with.id;
    lease = with;
  }

  public synchronized void joined(long createRevision, long modRevision) {
    revision = createRevision;
    modified = modRevision;
  }

  /** An attempt, a renewal or an extension for this long is sent next. */
  public synchronized void requested(Duration ttl) {
    requested.request(ttl);
  }

  /**
   * The lock is to end so soon, whatever was requested before. Renewals and earlier ends that are
   * under way come to nothing, and so do renewals that begin before this has an answer.
   *
   * @return the generation of what moves the key for this
   */
  public synchronized long endsIn(Duration left) {
    requested = new RequestedTime(time);
    requested.request(left);
    ending++;
    return ++generation;
  }

  public synchronized void endAnswered() {
    ending--;
  }

  /** An attempt or a renewal begins; it goes on for as long as {@link #isOf} says so. */
  public synchronized long generation() {
    return leaving || ending > 0 ? NOBODY : generation;
  }

  /** Whether no release and no end of the lock has begun since. */
  public synchronized boolean isOf(long begun) {
    return generation == begun;
  }

  /** For how long another lease has to last: a longer extension may have been promised. */
  public synchronized Duration needed(Duration ttl) {
    return Collections.max(List.of(ttl, requested.left()));
  }

  /**
   * Whether a lease is longer than is needed, as that of an extension which is over. While one runs
   * out, only if it is by half, or else each renewal would move the key.
   */
  public synchronized boolean isTooLong(ServerLease on, Duration ttl) {
    Duration needed = needed(ttl);
    boolean runsOut = needed.compareTo(ttl) > 0;
    Duration most = runsOut ? needed.plus(needed.dividedBy(2)) : ttl;
    return on.seconds > Leases.seconds(most);
  }

  /**
   * A put is to be sent that hangs the key on another lease.
   *
   * @param from where the key was seen when that lease was chosen
   * @param begun the generation of what moves it
   * @param toEnd that lease is to end by itself
   * @return the lease to send: that of an earlier move which may still be carried out, if there is
   *     one; empty if the key may not move, or has to be looked at again: it may hang on a longer
   *     lease now, or a longer time was requested than this lease has left
   */
  public synchronized Optional<ServerLease> moving(
      Place from, ServerLease to, long begun, boolean toEnd) {
    if (!mayMove(begun) || from.modified() < modified) {
      return Optional.empty();
    }
    if (target == null && !toEnd && to.leftAt(time.getAsLong()).compareTo(requested.left()) < 0) {
      return Optional.empty();
    }
    target = target == null ? to : target;
    return Optional.of(target);
  }

  /** Whether what began then may still move the key. */
  public synchronized boolean mayMove(long begun) {
    return !endSent && isOf(begun);
  }

  /** The lease of a move that may still be carried out. */
  public synchronized Optional<ServerLease> target() {
    return Optional.ofNullable(target);
  }

  /**
   * The key was put again, on this lease, unless a look has told so already. After the end was sent
   * this frees no lease: the release gives back or revokes those that it has read.
   *
   * @return whether it hangs there, as far as is known; it may have been moved on
   */
  public synchronized boolean moved(ServerLease to, long modRevision) {
    if (modRevision > modified && !endSent) {
      hangsOn(to, modRevision);
    }
    return modRevision >= modified;
  }

  private void hangsOn(ServerLease on, long since) {
    former = all().filter(one -> one != on).toList();
    lease = on;
    target = null;
    modified = since;
  }

  public synchronized void joinAnswered(@Nullable Throwable failure) {
    if (isLeaseNotFound(failure)) {
      lease = null;
    } else {
      unanswered |= isUnknown(failure);
    }
  }

  /**
   * It has left the queue, or has not joined it, without having been granted anything.
   *
   * @return the lease that it does not need any more; empty if another put may still name it
   */
  public synchronized Optional<ServerLease> withdrawn() {
    revision = 0;
    if (unanswered) {
      return Optional.empty();
    }
    Optional<ServerLease> free = Optional.ofNullable(lease);
    lease = null;
    return free;
  }

  /** After any other failure the move may still be carried out, and is sent again. */
  public synchronized void moveAnswered(ServerLease to, @Nullable Throwable failure) {
    if (isLeaseNotFound(failure) && target == to) {
      target = null;
    }
  }

  public synchronized void leaveAnswered(@Nullable Throwable failure) {
    unanswered |= isUnknown(failure);
  }

  private static boolean isUnknown(@Nullable Throwable failure) {
    return failure != null && !EtcdFailures.isRefusal(Failures.cause(failure));
  }

  /** No put can come any more that names the lease. */
  private static boolean isLeaseNotFound(@Nullable Throwable failure) {
    return failure != null && EtcdFailures.isLeaseNotFound(Failures.cause(failure));
  }

  /**
   * Where the key hangs, as far as is known after a look at it; looks may overtake each other.
   *
   * @return empty if it is not there any more, or not ours
   */
  public synchronized Optional<Place> found(RangeResponse look) {
    if (look.getKvsCount() == 0 || look.getKvs(0).getCreateRevision() != revision || endSent) {
      return Optional.empty();
    }
    KeyValue seen = look.getKvs(0);
    if (seen.getModRevision() > modified) {
      Optional<ServerLease> on = all().filter(one -> one.id == seen.getLease()).findFirst();
      if (on.isEmpty()) {
        return Optional.empty();
      }
      hangsOn(on.get(), seen.getModRevision());
    }
    return place();
  }

  /** Leases that the key hung on, and that no put can name any more. They are told once. */
  public synchronized List<ServerLease> freed() {
    List<ServerLease> freed = unanswered ? List.of() : former;
    former = unanswered ? former : List.of();
    return freed;
  }

  /** The place in the queue is lost. All leases are to be revoked before there is a new one. */
  public synchronized List<ServerLease> placeLost() {
    revision = 0;
    former = all().toList();
    lease = null;
    target = null;
    return former;
  }

  public synchronized void placeCleared() {
    former = List.of();
    unanswered = false;
  }

  /** All leases that a put may name, now or after the key is gone. */
  public synchronized List<ServerLease> leases() {
    return all().toList();
  }

  private Stream<ServerLease> all() {
    return Stream.concat(Stream.of(lease, target).filter(Objects::nonNull), former.stream())
        .filter(one -> one != last)
        .distinct();
  }

  /**
   * Its claim is being released. Nothing else moves it any more, and no earlier try of the release.
   *
   * @return the generation of what moves the key for this
   */
  public synchronized long leaving() {
    leaving = true;
    return ++generation;
  }

  public synchronized boolean isLeaving() {
    return leaving;
  }

  /** A request is sent that frees the lock. One step, so that no move comes in between. */
  public synchronized End end() {
    // Stays so: once leases have been revoked, that may be carried out at any time.
    unanswered |= target != null;
    End end = new End(place(), endSent, unanswered);
    endSent = true;
    return end;
  }

  /** The key is left to a lease that ends by itself. */
  public synchronized void leftTo(ServerLease on) {
    endSent = true;
    last = on;
  }

  /** The lease that the key was left to. */
  public synchronized Optional<ServerLease> last() {
    return Optional.ofNullable(last);
  }
}
