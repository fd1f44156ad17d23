/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.LossReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A history, put together: what belongs to each attempt, lock, resource and process. */
final class IndexedHistory {

  private record Id(String process, long attempt) {}

  /** A fault, from its begin to its end, or to that of the history. */
  record Band(Event.FaultBegun begun, long until) {}

  final History history;
  final List<Attempt> attempts;
  final Map<String, List<Attempt>> byLock = new TreeMap<>();
  final Map<String, List<Write>> writes = new TreeMap<>();
  final List<Event.Counted> counts = new ArrayList<>();
  final List<Event.Residue> residues = new ArrayList<>();
  final List<Band> bands = new ArrayList<>();
  final ProcessLifetimes lives;

  /** By owner id: each time that the backend told it to wait. */
  final Map<String, List<Event.Queued>> waits = new LinkedHashMap<>();

  private final Map<Id, Attempt> byId = new LinkedHashMap<>();
  private final Map<String, TreeSet<Long>> failures = new HashMap<>();
  private final Map<String, Write> open = new HashMap<>();
  private final Map<Long, Event.FaultBegun> begun = new LinkedHashMap<>();

  IndexedHistory(History history) {
    this.history = history;
    this.lives = new ProcessLifetimes(history);
    // Not by time alone: an event of a lease may have been stamped before the call that it follows.
    history.events().forEach(this::addAttempt);
    history.events().forEach(this::add);
    begun.values().forEach(fault -> bands.add(new Band(fault, end())));
    attempts = List.copyOf(byId.values());
    for (Attempt attempt : attempts) {
      attempt.queued =
          attempt.grant().map(granted -> waits.get(granted.owner())).map(places -> places.get(0));
      byLock.computeIfAbsent(attempt.lock(), lock -> new ArrayList<>()).add(attempt);
    }
  }

  long begin() {
    return history.events().isEmpty() ? 0 : history.events().get(0).at();
  }

  long end() {
    int count = history.events().size();
    return count == 0 ? 0 : history.events().get(count - 1).at();
  }

  /** An instant, in words: since the begin. */
  String time(long at) {
    return Times.seconds(at - begin());
  }

  /** When the last fault, or the last harm to a process, was over. */
  long healed() {
    long faults = bands.stream().mapToLong(Band::until).filter(at -> at < end()).max().orElse(0);
    return Math.max(begin(), Math.max(faults, lives.lastHarm()));
  }

  /** Whether a process asked the servers for something in vain, between these instants. */
  private boolean wasFailed(String process, long from, long until) {
    Long next = failures.getOrDefault(process, new TreeSet<>()).ceiling(from);
    return next != null && next <= until;
  }

  /** Whether a process may have lost its places at the servers, between these instants. */
  boolean isDisturbed(String process, long from, long until) {
    return lives.awake(process, from, until) < until - from
        || wasFailed(process, from, until)
        || bands.stream().anyMatch(band -> band.begun().at() < until && band.until() > from);
  }

  private void failed(Event event) {
    failures.computeIfAbsent(event.process(), process -> new TreeSet<>()).add(event.at());
  }

  /** When an attempt, or its lease, was over as far as its process knew. */
  long over(Attempt attempt) {
    long end = lives.end(attempt.process).map(Event::at).orElse(end());
    if (attempt.notGranted != null) {
      return attempt.notGranted.at();
    }
    if (attempt.released != null) {
      end = Math.min(end, attempt.released.at());
    }
    for (Event.Lost lost : attempt.losses) {
      end = Math.min(end, lost.at());
    }
    return Math.max(end, attempt.belief().map(Attempt.Belief::until).orElse(end));
  }

  /** To which attempt an event belongs, if it does to one. */
  Optional<Attempt> attemptOf(Event event) {
    return event instanceof Event.OfAttempt part
        ? Optional.ofNullable(byId.get(new Id(part.process(), part.attempt())))
        : Optional.empty();
  }

  private void addAttempt(Event event) {
    if (event instanceof Event.Asked asked) {
      byId.put(new Id(asked.process(), asked.attempt()), new Attempt(asked));
    }
  }

  private void add(Event event) {
    if (event instanceof Event.Writing writing) {
      Write write = new Write(writing, attempt(writing));
      writes.computeIfAbsent(writing.resource(), name -> new ArrayList<>()).add(write);
      open.put(key(writing, writing.resource()), write);
    } else if (event instanceof Event.Wrote wrote) {
      Write write = open.remove(key(wrote, wrote.resource()));
      if (write == null) {
        throw new IllegalArgumentException("written without having begun to: " + wrote);
      }
      write.wrote = wrote;
    } else if (event instanceof Event.Counted counted) {
      counts.add(counted);
    } else if (event instanceof Event.Residue residue) {
      residues.add(residue);
    } else if (event instanceof Event.FaultBegun fault) {
      begun.put(fault.fault(), fault);
    } else if (event instanceof Event.FaultEnded ended) {
      Event.FaultBegun fault = begun.remove(ended.fault());
      if (fault != null) {
        bands.add(new Band(fault, ended.at()));
      }
    } else if (event instanceof Event.Queued place) {
      waits.computeIfAbsent(place.owner(), owner -> new ArrayList<>()).add(place);
    } else if (event instanceof Event.Unanswered) {
      failed(event);
    } else {
      addToLease(event);
    }
  }

  private void addToLease(Event event) {
    if (event instanceof Event.Granted granted) {
      attempt(granted).granted = granted;
    } else if (event instanceof Event.NotGranted refused) {
      attempt(refused).notGranted = refused;
      if (refused.why() == Refusal.UNAVAILABLE) {
        failed(refused);
      }
    } else if (event instanceof Event.Believed believed) {
      attempt(believed).lastBelieved = believed;
    } else if (event instanceof Event.Doubted doubted) {
      Attempt attempt = attempt(doubted);
      attempt.doubted = first(attempt.doubted, doubted);
    } else if (event instanceof Event.Lost lost) {
      attempt(lost).losses.add(lost);
      if (lost.reason() == LossReason.UNREACHABLE || lost.reason() == LossReason.SESSION_ENDED) {
        failed(lost);
      }
    } else if (event instanceof Event.Released released) {
      Attempt attempt = attempt(released);
      attempt.released = first(attempt.released, released);
    }
  }

  private static <T> T first(@Nullable T before, T now) {
    return before == null ? now : before;
  }

  private Attempt attempt(Event.OfAttempt part) {
    return attemptOf(part)
        .orElseThrow(() -> new IllegalArgumentException("never asked for: " + part));
  }

  private static String key(Event.OfAttempt part, String resource) {
    return part.process() + " " + part.attempt() + " " + resource;
  }

  /** A write to a resource, and its answer if there was one. */
  static final class Write {

    final Event.Writing writing;
    final Attempt attempt;
    Event.@Nullable Wrote wrote;

    Write(Event.Writing writing, Attempt attempt) {
      this.writing = writing;
      this.attempt = attempt;
    }

    boolean isFenced() {
      return writing.token() != 0;
    }

    boolean isAccepted() {
      Event.Wrote answer = wrote;
      return answer != null && answer.answer() == Answer.ACCEPTED;
    }
  }
}
