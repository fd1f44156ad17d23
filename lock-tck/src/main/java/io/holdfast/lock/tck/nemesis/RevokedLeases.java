/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.NamedFault.Loss;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.History;
import io.holdfast.lock.tck.history.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Leases that a fault takes from their holders, as is declared: those that may have been granted
 * before it was over, as the first lease or a later one of a tenure; an answer may be late. A
 * holder may still believe in such a lease after the fault has begun, but not for ever.
 */
final class RevokedLeases {

  private final List<FaultRunner.Struck> losing;
  private final List<Event> kept = new ArrayList<>();
  private final Optional<Duration> ttl;
  private final Map<String, Long> asked = new HashMap<>();
  private final Map<String, Event.Granted> grants = new LinkedHashMap<>();

  /** By owner: the earliest instant at which the backend can have granted it the lock. */
  private final Map<String, Long> earliest = new HashMap<>();

  private final Duration longest;

  /** By lock: when it was first asked for. */
  private final Map<String, Long> wanted = new HashMap<>();

  /** By lease: the last look that said yes. */
  private final Map<String, Event.Believed> last = new HashMap<>();

  /**
   * Of a history, and what was done meanwhile.
   *
   * @param ttl what is left of it tells when a lease was asked for; empty where leases have none
   * @param longest for how long a lease may be valid that is not there any more: what is believed
   *     for longer was not taken, or else {@link #stillBelieved}
   */
  RevokedLeases(
      History history, List<FaultRunner.Struck> struck, Optional<Duration> ttl, Duration longest) {
    this.ttl = ttl;
    this.longest = longest;
    for (Event event : history.events()) {
      if (event instanceof Event.Believed believed) {
        last.put(key(believed.process(), believed.attempt()), believed);
      }
    }
    losing = struck.stream().filter(one -> one.scheduled().fault().loss() != Loss.NONE).toList();
    for (Event event : history.events()) {
      if (event instanceof Event.Asked attempt) {
        asked.put(key(attempt.process(), attempt.attempt()), attempt.at());
        wanted.merge(attempt.lock(), attempt.at(), Math::min);
        kept.add(attempt);
      } else if (event instanceof Event.Granted granted) {
        kept.add(granted(granted));
      } else if (!(event instanceof Event.Believed believed) || !isForsaken(believed)) {
        kept.add(event);
      }
    }
  }

  /** The same history without those beliefs. */
  History without() {
    return new History(kept);
  }

  /**
   * Leases of which the lock was certainly taken away, and that were valid for longer than one can
   * be that is not renewed any more: somebody renewed what was not there, or took it anew.
   *
   * @param locks which to judge
   */
  List<Violation> stillBelieved(List<String> locks) {
    List<Violation> found = new ArrayList<>();
    grants.forEach(
        (key, granted) -> {
          Event.Believed believed = last.get(key);
          if (believed != null && locks.contains(granted.lock())) {
            losing.stream()
                .filter(one -> one.done() && one.scheduled().fault().loss() == Loss.CERTAIN)
                .filter(one -> granted.at() < one.begunAt() && isPast(one, believed))
                .findFirst()
                .ifPresent(one -> found.add(violation(granted, believed, one)));
          }
        });
    return found;
  }

  /**
   * Whether a lock is taken, perhaps, because its release was undone: until a TTL has passed that
   * is longer than the run.
   *
   * @param lock its name, or something that contains it
   */
  boolean mayBeTakenAgain(String lock) {
    return losing.stream()
        .filter(one -> one.scheduled().fault().loss() == Loss.UNDONE)
        .anyMatch(
            one ->
                wanted.entrySet().stream()
                    .anyMatch(w -> lock.contains(w.getKey()) && w.getValue() < one.endedAt()));
  }

  private boolean isPast(FaultRunner.Struck struck, Event.Believed believed) {
    return believed.at() > struck.endedAt() + longest.toNanos();
  }

  private static Violation violation(
      Event.Granted granted, Event.Believed believed, FaultRunner.Struck struck) {
    String sentence =
        "%s had %s, which was taken away by %s, and believed in it for %d ms more"
            .formatted(
                granted.process(),
                granted.lock(),
                struck.scheduled().fault().name(),
                Duration.ofNanos(believed.at() - struck.endedAt()).toMillis());
    return new Violation(Violation.Kind.STILL_BELIEVED, sentence, List.of(granted, believed));
  }

  private Event granted(Event.Granted granted) {
    String key = key(granted.process(), granted.attempt());
    grants.put(key, granted);
    earliest.merge(
        granted.owner(), sentAt(granted, asked.getOrDefault(key, granted.at())), Math::min);
    return mayBeTaken(granted, granted.at())
        ? new Event.Granted(
            granted.at(),
            granted.process(),
            granted.attempt(),
            granted.lock(),
            granted.owner(),
            granted.token(),
            Duration.ZERO)
        : granted;
  }

  private long sentAt(Event.Granted granted, long askedAt) {
    return ttl.map(all -> granted.at() - all.minus(granted.remaining()).toNanos())
        .map(sent -> Math.min(granted.at(), Math.max(askedAt, sent)))
        .orElse(askedAt);
  }

  private boolean mayBeTaken(Event.Granted granted, long at) {
    long from = earliest.getOrDefault(granted.owner(), granted.at());
    Event.Believed believed = last.get(key(granted.process(), granted.attempt()));
    return losing.stream()
        .filter(one -> Target.concerns(one.scheduled().target(), granted.process()))
        .filter(one -> from <= one.endedAt() && at >= one.begunAt())
        .anyMatch(one -> believed == null || !isPast(one, believed));
  }

  private boolean isForsaken(Event.Believed believed) {
    Event.Granted granted = grants.get(key(believed.process(), believed.attempt()));
    return granted != null && mayBeTaken(granted, believed.at());
  }

  private static String key(String process, long attempt) {
    return process + " " + attempt;
  }
}
