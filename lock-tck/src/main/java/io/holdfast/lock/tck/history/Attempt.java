/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt to get a lock, and the lease that it got, with all that was written of them. */
final class Attempt {

  final String process;
  final Event.Asked asked;
  Event.@Nullable Granted granted;
  Event.@Nullable NotGranted notGranted;
  Event.@Nullable Believed lastBelieved;
  Event.@Nullable Doubted doubted;
  Event.@Nullable Released released;
  final List<Event.Lost> losses = new ArrayList<>();

  /** When the backend first said that it has a place for this one. */
  Optional<Event.Queued> queued = Optional.empty();

  Attempt(Event.Asked asked) {
    this.process = asked.process();
    this.asked = asked;
  }

  String lock() {
    return asked.lock();
  }

  Share share() {
    return asked.share();
  }

  String who() {
    return process + "/" + asked.thread();
  }

  /** Whether two may hold a name at once, as far as it depends on them. */
  static boolean fit(Share one, Share other) {
    return one.capacity() == other.capacity()
        && (long) one.permits() + other.permits() <= one.capacity();
  }

  /** The process and thread, with the share if it is not of a plain lock. */
  String party() {
    return share().equals(Share.LOCK) ? who() : "%s (%s)".formatted(who(), share());
  }

  Optional<Event.Granted> grant() {
    return Optional.ofNullable(granted);
  }

  /** Whether that is longer than it wanted to wait. */
  boolean isOverLimit(long nanos) {
    return Duration.ofNanos(nanos).compareTo(asked.maxWait()) > 0;
  }

  /** The call's answer, whichever. */
  Optional<Event> answer() {
    return Optional.<Event>ofNullable(granted).or(() -> Optional.ofNullable(notGranted));
  }

  /**
   * From the grant to the last instant at which the lease was certainly valid; empty if no look
   * said yes. A lease never becomes valid again, so it was valid all the time between.
   */
  Optional<Belief> belief() {
    Event.Granted from = granted;
    if (from == null) {
      return Optional.empty();
    }
    Event.Believed until = lastBelieved;
    if (until != null && until.at() >= from.at()) {
      return Optional.of(new Belief(this, from, until));
    }
    return from.remaining().isZero() ? Optional.empty() : Optional.of(new Belief(this, from, from));
  }

  /** Whether the lease was certainly valid then, having been granted before. */
  boolean believedAt(long at) {
    return belief().filter(belief -> belief.until() >= at).isPresent();
  }

  /** The event that first shows that the lease had ended without being released. */
  Optional<Event> ended() {
    Event.Released last = released;
    if (last != null) {
      switch (last.outcome()) {
        case ALREADY_LOST -> {
          return Optional.of(doubted == null ? last : doubted);
        }
        case RELEASED, ALREADY_RELEASED, UNKNOWN -> {
          return Optional.empty();
        }
      }
    }
    return Optional.ofNullable(doubted);
  }

  /** When a lease was certainly valid. */
  record Belief(Attempt attempt, Event.Granted granted, Event last) {

    long from() {
      return granted.at();
    }

    long until() {
      return last.at();
    }

    Share share() {
      return attempt.share();
    }
  }
}
