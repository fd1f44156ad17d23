/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Knows when each process was alive, and when it was suspended. */
final class ProcessLifetimes {

  /** A time during which a process did nothing. */
  record Pause(long from, long until) {}

  private final Map<String, Life> lives = new TreeMap<>();
  private long lastHarm;

  ProcessLifetimes(History history) {
    Map<String, Long> suspended = new HashMap<>();
    long end = 0;
    for (Event event : history.events()) {
      end = event.at();
      if (event instanceof Event.Suspended stop) {
        suspended.putIfAbsent(stop.target(), stop.at());
        harmed(stop);
      } else if (event instanceof Event.Continued go) {
        Long since = suspended.remove(go.target());
        if (since != null) {
          of(go.target()).pauses.add(new Pause(since, go.at()));
        }
        harmed(go);
      } else if (event instanceof Event.Killed kill) {
        of(kill.target()).killed = kill;
        harmed(kill);
      } else if (event instanceof Event.Exited exit) {
        of(exit.target()).exited = exit;
      } else if (event instanceof Event.Finished finish) {
        of(finish.process()).finished = finish;
      } else {
        of(event.process());
      }
    }
    for (Map.Entry<String, Long> open : suspended.entrySet()) {
      of(open.getKey()).pauses.add(new Pause(open.getValue(), end));
    }
  }

  private void harmed(Event event) {
    lastHarm = Math.max(lastHarm, event.at());
  }

  /** When a process was last suspended, let go or killed. */
  long lastHarm() {
    return lastHarm;
  }

  Iterable<String> processes() {
    return lives.keySet();
  }

  List<Pause> pauses(String process) {
    return of(process).pauses;
  }

  /** Between these instants, without the time in which the process was suspended. */
  long awake(String process, long from, long until) {
    long awake = until - from;
    for (Pause pause : pauses(process)) {
      awake -= Math.max(0, Math.min(until, pause.until()) - Math.max(from, pause.from()));
    }
    return awake;
  }

  Optional<Event.Killed> killed(String process) {
    return Optional.ofNullable(of(process).killed);
  }

  Optional<Event.Exited> exited(String process) {
    return Optional.ofNullable(of(process).exited);
  }

  Optional<Event.Finished> finished(String process) {
    return Optional.ofNullable(of(process).finished);
  }

  /** The first that says that the process will do nothing more. */
  Optional<Event> end(String process) {
    return killed(process)
        .<Event>map(event -> event)
        .or(() -> finished(process))
        .or(() -> exited(process));
  }

  private Life of(String process) {
    return lives.computeIfAbsent(process, name -> new Life());
  }

  private static final class Life {
    final List<Pause> pauses = new ArrayList<>();
    Event.@Nullable Killed killed;
    Event.@Nullable Exited exited;
    Event.@Nullable Finished finished;
  }
}
