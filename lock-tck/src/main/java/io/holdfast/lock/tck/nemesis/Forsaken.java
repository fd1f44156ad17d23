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

/**
 * Leases that a fault takes from their holders, as is declared: those that were granted before it
 * was over. What holders still believed of them when it had begun proves nothing, but that they may
 * not believe for ever.
 */
final class Forsaken {

  private final List<Lane.Struck> losing;
  private final List<Event> kept = new ArrayList<>();
  private final Map<String, Event.Granted> grants = new HashMap<>();
  private final Map<Event.Granted, Event.Believed> last = new LinkedHashMap<>();

  /** Of a history, and what was done meanwhile. */
  Forsaken(History history, List<Lane.Struck> struck) {
    losing = struck.stream().filter(one -> one.strike().fault().loss() != Loss.NONE).toList();
    for (Event event : history.events()) {
      if (event instanceof Event.Granted granted) {
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
   * @param longest for how long a lease of these may be valid
   */
  List<Violation> stillBelieved(List<String> locks, Duration longest) {
    List<Violation> found = new ArrayList<>();
    last.forEach(
        (granted, believed) -> {
          if (locks.contains(granted.lock())) {
            losing.stream()
                .filter(one -> one.strike().fault().loss() == Loss.CERTAIN)
                .filter(one -> granted.at() < one.begunAt())
                .filter(one -> believed.at() > one.endedAt() + longest.toNanos())
                .findFirst()
                .ifPresent(one -> found.add(violation(granted, believed, one)));
          }
        });
    return found;
  }

  private static Violation violation(
      Event.Granted granted, Event.Believed believed, Lane.Struck struck) {
    String sentence =
        "%s had %s, which was taken away by %s, and believed in it for %d ms more"
            .formatted(
                granted.process(),
                granted.lock(),
                struck.strike().fault().name(),
                Duration.ofNanos(believed.at() - struck.endedAt()).toMillis());
    return new Violation(Violation.Kind.STILL_BELIEVED, sentence, List.of(granted, believed));
  }

  private Event granted(Event.Granted granted) {
    grants.put(key(granted.process(), granted.attempt()), granted);
    boolean meanwhile =
        losing.stream()
            .anyMatch(one -> one.begunAt() <= granted.at() && granted.at() <= one.endedAt());
    return meanwhile
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

  private boolean isForsaken(Event.Believed believed) {
    Event.Granted granted = grants.get(key(believed.process(), believed.attempt()));
    if (granted == null
        || losing.stream()
            .noneMatch(one -> granted.at() <= one.endedAt() && believed.at() >= one.begunAt())) {
      return false;
    }
    last.put(granted, believed);
    return true;
  }

  private static String key(String process, long attempt) {
    return process + " " + attempt;
  }
}
