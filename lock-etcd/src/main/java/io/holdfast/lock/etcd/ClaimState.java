/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Deadline;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.support.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a claim knows of itself at etcd: its place in the queue, the lease that its key hangs on,
 * and which leases a put may still come with.
 */
final class ClaimState {

  /**
   * Where the key hangs.
   *
   * @param modified since which revision
   */
  record Place(ServerLease lease, long modified) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<ServerLease> named = new LinkedHashSet<>();

  /** Moves without an answer: to which lease, and from which modification of the key. */
  private final Map<ServerLease, Long> moving = new HashMap<>();

  private ByteString key = ByteString.EMPTY;
  private @Nullable ServerLease lease;
  private @Nullable ServerLease last;
  private long revision;
  private long modified;
  private int underWay;
  private boolean unanswered;
  private boolean granted;
  private boolean endSent;
  private @Nullable ReleaseAnswer ended;

  /** The lease that the key hangs on, or will. */
  @Nullable ServerLease lease() {
    lock.lock();
    try {
      return lease;
    } finally {
      lock.unlock();
    }
  }

  ServerLease required() {
    return Objects.requireNonNull(lease(), "lease");
  }

  /** The create revision of the key: the place in the queue, and the token. 0 without a place. */
  long revision() {
    lock.lock();
    try {
      return revision;
    } finally {
      lock.unlock();
    }
  }

  /** All leases that a put may come with, now or after the key is gone. */
  List<ServerLease> leases() {
    lock.lock();
    try {
      return List.copyOf(named);
    } finally {
      lock.unlock();
    }
  }

  /** The lease that the key hangs on, and those that it may come to hang on by a late move. */
  List<ServerLease> counted() {
    lock.lock();
    try {
      List<ServerLease> counted = new ArrayList<>(moving.keySet());
      if (lease != null && !moving.containsKey(lease)) {
        counted.add(0, lease);
      }
      return counted;
    } finally {
      lock.unlock();
    }
  }

  /** Where the key hangs by what was seen last; empty without a place. */
  Optional<Place> place() {
    lock.lock();
    try {
      return revision == 0
          ? Optional.empty()
          : Optional.ofNullable(lease).map(on -> new Place(on, modified));
    } finally {
      lock.unlock();
    }
  }

  ByteString key() {
    lock.lock();
    try {
      return key;
    } finally {
      lock.unlock();
    }
  }

  /** The put is sent that joins the queue. */
  void joining(ByteString as, ServerLease with) {
    lock.lock();
    try {
      key = as;
      lease = with;
      putSent(with);
    } finally {
      lock.unlock();
    }
  }

  /** A put is to be sent that hangs the key on another lease; not once the end has begun. */
  boolean moving(ServerLease to, Place from) {
    lock.lock();
    try {
      if (!endSent) {
        putSent(to);
        moving.put(to, from.modified());
      }
      return !endSent;
    } finally {
      lock.unlock();
    }
  }

  private void putSent(ServerLease with) {
    named.add(with);
    underWay++;
  }

  void putAnswered(ServerLease with, @Nullable Throwable failure) {
    lock.lock();
    try {
      underWay--;
      if (failure == null) {
        return;
      }
      Throwable cause = Failures.cause(failure);
      if (EtcdFailures.isLeaseNotFound(cause)) {
        forget(with);
      } else if (EtcdFailures.isRefusal(cause)) {
        moving.remove(with);
      } else {
        unanswered = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** This one has ended at etcd: no put can come with it any more. */
  void forget(ServerLease dead) {
    lock.lock();
    try {
      named.remove(dead);
      moving.remove(dead);
      if (lease == dead) {
        lease = null;
      }
    } finally {
      lock.unlock();
    }
  }

  void joined(long createRevision, long modRevision) {
    lock.lock();
    try {
      revision = createRevision;
      modified = modRevision;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The key hangs on another lease since a revision.
   *
   * @return the one before, if no put can come with it
   */
  Optional<ServerLease> moved(ServerLease to, long modRevision) {
    lock.lock();
    try {
      if (modRevision <= modified) {
        return Optional.empty();
      }
      ServerLease before = lease;
      lease = to;
      modified(modRevision);
      if (before == null || unanswered) {
        return Optional.empty();
      }
      named.remove(before);
      return Optional.of(before);
    } finally {
      lock.unlock();
    }
  }

  /** Moves from an earlier modification of the key will change nothing any more. */
  private void modified(long revision) {
    modified = revision;
    moving.values().removeIf(from -> from < revision);
  }

  /**
   * Where the key hangs, as far as is known after a look at it; looks may overtake each other.
   *
   * @return empty if it is not there any more, or not ours
   */
  Optional<Place> found(RangeResponse look) {
    if (look.getKvsCount() == 0) {
      return Optional.empty();
    }
    KeyValue seen = look.getKvs(0);
    lock.lock();
    try {
      if (seen.getCreateRevision() != revision || endSent) {
        return Optional.empty();
      }
      if (seen.getModRevision() <= modified) {
        return Optional.ofNullable(lease).map(on -> new Place(on, modified));
      }
      Optional<ServerLease> on =
          named.stream().filter(one -> one.id == seen.getLease()).findFirst();
      if (on.isPresent()) {
        lease = on.get();
        modified(seen.getModRevision());
      }
      return on.map(known -> new Place(known, seen.getModRevision()));
    } finally {
      lock.unlock();
    }
  }

  void granted() {
    lock.lock();
    try {
      granted = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a put or a delete may still be carried out. */
  boolean isUncertain() {
    lock.lock();
    try {
      return unanswered || underWay > 0;
    } finally {
      lock.unlock();
    }
  }

  /** The place in the queue is lost. Completes when nothing stands in the way of a new one. */
  CompletableFuture<Void> startAnew(Leases leases, Deadline deadline) {
    lock.lock();
    try {
      revision = 0;
      granted = false;
      lease = null;
    } finally {
      lock.unlock();
    }
    return revoke(leases, deadline)
        .thenAccept(
            found -> {
              lock.lock();
              try {
                named.clear();
                moving.clear();
                unanswered = false;
              } finally {
                lock.unlock();
              }
            });
  }

  /** Revokes all leases; afterwards nothing of the claim is at etcd, nor can come there. */
  CompletableFuture<ReleaseAnswer> end(Leases leases, Deadline deadline, boolean sentBefore) {
    return revoke(leases, deadline).thenApply(found -> ended(found || sentBefore));
  }

  /** Leaves the key to a lease that ends by itself, and revokes all others. */
  CompletableFuture<ReleaseAnswer> endOn(ServerLease on, Leases leases, Deadline deadline) {
    lock.lock();
    try {
      endSent = true;
      last = on;
      named.remove(on);
    } finally {
      lock.unlock();
    }
    return revoke(leases, deadline).thenApply(found -> ended(true));
  }

  /** The lease that the key was left to. */
  Optional<ServerLease> last() {
    lock.lock();
    try {
      return Optional.ofNullable(last);
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Boolean> revoke(Leases leases, Deadline deadline) {
    CompletableFuture<Boolean> anyFound = CompletableFuture.completedFuture(false);
    for (ServerLease one : leases()) {
      anyFound = anyFound.thenCombine(leases.revoke(one, deadline), (any, found) -> any || found);
    }
    return anyFound;
  }

  /** A request is sent that frees the lock; whether one was before. */
  boolean endSent() {
    lock.lock();
    try {
      boolean before = endSent;
      endSent = true;
      return before;
    } finally {
      lock.unlock();
    }
  }

  void leaveAnswered(@Nullable Throwable failure) {
    lock.lock();
    try {
      unanswered |= failure != null && !EtcdFailures.isRefusal(Failures.cause(failure));
    } finally {
      lock.unlock();
    }
  }

  ReleaseAnswer ended(boolean found) {
    lock.lock();
    try {
      if (ended == null) {
        ended = granted && found ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
      }
      return ended;
    } finally {
      lock.unlock();
    }
  }

  Optional<ReleaseAnswer> ended() {
    lock.lock();
    try {
      return Optional.ofNullable(ended);
    } finally {
      lock.unlock();
    }
  }
}
