/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one name at a {@link MemoryServer}: who has how many, and who waits for how many,
 * in the order of their first attempts. Nobody is granted what would not leave enough for those who
 * asked before and wait. A waiter is known by a mark, which lasts for its TTL, so that one that
 * died does not keep the others out. Touched under the server's lock only.
 */
final class Shares {

  /** The permits of an owner. */
  static final class Grant {

    final String ownerId;
    final long token;
    int permits;
    long expiresAt;

    Grant(String ownerId, int permits, long token) {
      this.ownerId = ownerId;
      this.permits = permits;
      this.token = token;
    }
  }

  /** The permits that an owner waits for. */
  private record Mark(int permits, Runnable wakeUp, long expiresAt) {}

  private final Map<String, Grant> grants = new LinkedHashMap<>();
  private final Map<String, Mark> marks = new LinkedHashMap<>();
  private int capacity;

  boolean isInUse(long now) {
    grants.values().removeIf(grant -> grant.expiresAt - now <= 0);
    marks.values().removeIf(mark -> mark.expiresAt - now <= 0);
    return !grants.isEmpty() || !marks.isEmpty();
  }

  /** While it is in use. */
  int capacity() {
    return capacity;
  }

  List<Grant> grants(long now) {
    return isInUse(now) ? List.copyOf(grants.values()) : List.of();
  }

  int waiters() {
    return marks.size();
  }

  /** Grants what is asked for, or leaves a mark of a claim that waits. */
  Attempt attempt(ClaimRequest request, long now, LongSupplier tokens, Runnable wakeUp) {
    Share asked = request.share();
    if (isInUse(now) && capacity != asked.capacity()) {
      throw new LockCapacityException(request.lockName(), asked.capacity(), capacity);
    }
    capacity = asked.capacity();
    String owner = request.ownerId();
    long ttl = request.ttl().toNanos();
    Grant grant = grants.get(owner);
    if (grant == null) {
      if (permitsBefore(owner) + asked.permits() > capacity) {
        if (request.waits()) {
          marks.put(owner, new Mark(asked.permits(), wakeUp, now + ttl));
        }
        return new Attempt.Contended(Optional.of(askAgainIn(now, ttl)));
      }
      grant = new Grant(owner, asked.permits(), tokens.getAsLong());
      grants.put(owner, grant);
    }
    marks.remove(owner);
    grant.expiresAt = now + ttl;
    return new Attempt.Granted(grant.token, request.ttl());
  }

  /** Of all that hold, and of those that wait ahead. */
  private long permitsBefore(String owner) {
    long permits = permitsHeld();
    for (Map.Entry<String, Mark> ahead : marks.entrySet()) {
      if (ahead.getKey().equals(owner)) {
        break;
      }
      permits += ahead.getValue().permits;
    }
    return permits;
  }

  private long permitsHeld() {
    return grants.values().stream().mapToLong(grant -> grant.permits).sum();
  }

  /** When a lease or a mark ends by itself, and before the own mark does. */
  private Duration askAgainIn(long now, long ttl) {
    long least = ttl / 2;
    for (Grant grant : grants.values()) {
      least = Math.min(least, grant.expiresAt - now);
    }
    for (Mark mark : marks.values()) {
      least = Math.min(least, mark.expiresAt - now);
    }
    return Duration.ofNanos(least);
  }

  /** The grant of an owner, if it has not expired. */
  @Nullable Grant grantOf(String ownerId, long now) {
    return isInUse(now) ? grants.get(ownerId) : null;
  }

  /**
   * Takes away what an owner has and waits for.
   *
   * @return whether it had permits
   */
  boolean remove(String ownerId, long now) {
    isInUse(now);
    marks.remove(ownerId);
    return grants.remove(ownerId) != null;
  }

  boolean changeCapacity(int from, int to, long now) {
    if (!isInUse(now) || capacity != from) {
      return false;
    }
    capacity = to;
    return true;
  }

  void clear() {
    grants.clear();
    marks.clear();
  }

  /** Those that may be granted what they wait for now; and all of them, if asked to look again. */
  List<Runnable> toWake(boolean all) {
    List<Runnable> wakeUps = new ArrayList<>();
    long permits = permitsHeld();
    for (Mark mark : marks.values()) {
      permits += mark.permits;
      if (all || permits <= capacity) {
        wakeUps.add(mark.wakeUp);
      }
    }
    return wakeUps;
  }
}
