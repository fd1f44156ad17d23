/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leases that a fault takes from their holders, as is declared: those that were granted before it
 * was over, and those that a client has passed on since within what it held then. What holders
 * still believed of them when it had begun proves nothing.
 */
final class Forsaken {

  private final List<Lane.Struck> losing;
  private final Map<String, Event.Granted> grants = new HashMap<>();

  /** By owner id, which is that of what the client has at the backend: when it got it. */
  private final Map<String, Long> tenures = new HashMap<>();

  private Forsaken(List<Lane.Struck> struck) {
    losing = struck.stream().filter(one -> one.strike().fault().losesLocks()).toList();
  }

  /** The same history without those beliefs. */
  static History without(History history, List<Lane.Struck> struck) {
    Forsaken forsaken = new Forsaken(struck);
    List<Event> kept = new ArrayList<>();
    for (Event event : history.events()) {
      if (event instanceof Event.Granted granted) {
        kept.add(forsaken.granted(granted));
      } else if (!(event instanceof Event.Believed believed) || !forsaken.isForsaken(believed)) {
        kept.add(event);
      }
    }
    return new History(kept);
  }

  private Event granted(Event.Granted granted) {
    grants.put(key(granted.process(), granted.attempt()), granted);
    long begun = tenures.merge(granted.owner(), granted.at(), Math::min);
    boolean meanwhile =
        losing.stream().anyMatch(one -> one.begunAt() <= granted.at() && begun <= one.endedAt());
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
    return granted != null
        && losing.stream()
            .anyMatch(
                one ->
                    tenures.getOrDefault(granted.owner(), granted.at()) <= one.endedAt()
                        && believed.at() >= one.begunAt());
  }

  private static String key(String process, long attempt) {
    return process + " " + attempt;
  }
}
