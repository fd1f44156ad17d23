/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/**
 * One seed of the model: up to three clients that want one lock over and over, at 3 to 5 nodes,
 * over a network that delays, reorders, loses and doubles messages, while nodes lose their data,
 * or, in other seeds, forget the lock alone. The clients run the same {@link Ballot} and {@link
 * Tally} as the product; time is a number. Watches that no two hold at a time, and that tokens
 * grow.
 *
 * <p>Where nodes forget the lock alone, two may hold at once. Then a token is compared with those
 * that were told longer ago than an answer is waited for: what is under way for that long may be
 * overtaken.
 */
final class Explorer {

  /** Errors that may be planted, to see that the explorer finds them. */
  enum Bug {
    /** A lock at half of the nodes counts. */
    QUORUM_TOO_SMALL,
    /** The greatest number is the token, whoever stores it. */
    NO_SECOND_ROUND,
    /** Validity begins with the answers. */
    VALIDITY_FROM_THE_ANSWER,
    /** A node counts as soon as it runs. */
    NO_RESTART_DELAY,
    /** A release frees the lock whoever has it. */
    RELEASE_OF_ANYBODYS,
    /** A node counts as prolonged, whatever it says to a renewal. */
    RENEWAL_BELIEVED,
    /** A vote counts for as long as the ballot lasts. */
    VOTES_KEPT
  }

  /** The faults of nodes in one seed. */
  private enum Fault {
    /** They restart without their data, one at a time. */
    WIPED,
    /** They lose the lock and nothing else: deleted, or ended early by a step of the clock. */
    FORGETS
  }

  /** A grant that was told. */
  private record Told(long at, long token) {}

  static final long MILLI = 1_000;
  static final long TTL = 100 * MILLI;
  private static final long TIME_OUT = 20 * MILLI;
  static final long END = 2_000 * MILLI;
  static final long FRESH = 5 * MILLI;
  private static final long LONGEST_SKEW = 10 * MILLI;
  private static final long RESTART_DELAY = TTL + ModelNode.GRAIN + 2 * LONGEST_SKEW;

  private record Event(long at, long order, Runnable action) {}

  final Random random;
  final Set<Bug> bugs;
  final List<ModelNode> nodes = new ArrayList<>();
  final List<ModelClient> clients = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final List<String> history = new ArrayList<>();
  private final Deque<Told> told = new ArrayDeque<>();
  private final Fault fault;
  private final double loss;
  long now;
  private long scheduled;
  private long lastToken;
  private int steps;
  private int grants;
  private int twoRounds;
  private Optional<String> violation = Optional.empty();

  Explorer(long seed, Set<Bug> bugs) {
    this.random = new Random(seed);
    this.bugs = bugs;
    this.now = 1_800_000_000_000_000L + random.nextInt((int) ModelNode.GRAIN);
    int count = 3 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      nodes.add(new ModelNode(random.nextLong(LONGEST_SKEW)));
    }
    this.fault = random.nextBoolean() ? Fault.WIPED : Fault.FORGETS;
    int contenders = fault == Fault.FORGETS ? 3 : 1 + random.nextInt(3);
    for (int i = 0; i < contenders; i++) {
      clients.add(new ModelClient(this, String.valueOf((char) ('A' + i))));
    }
    this.loss = random.nextInt(4) * 0.08;
  }

  /** Runs it to its end, or to the first violation. */
  Optional<String> run() {
    long end = now + END;
    clients.forEach(client -> later(random.nextLong(5 * MILLI), client::begin));
    if (fault == Fault.WIPED) {
      later(random.nextLong(200 * MILLI), this::wipe);
    } else if (fault == Fault.FORGETS) {
      later(random.nextLong(20 * MILLI), this::forget);
    }
    while (violation.isEmpty() && !events.isEmpty() && events.peek().at() < end) {
      Event next = events.poll();
      now = next.at();
      steps++;
      next.action().run();
    }
    return violation.map(what -> what + "\n  " + String.join("\n  ", history));
  }

  int steps() {
    return steps;
  }

  int grants() {
    return grants;
  }

  int twoRounds() {
    return twoRounds;
  }

  void later(long delay, Runnable action) {
    events.add(new Event(now + delay, scheduled++, action));
  }

  /** One node at a time: the next only when the one before counts again. */
  private void wipe() {
    int node = random.nextInt(nodes.size());
    nodes.get(node).restartEmpty(now);
    note("node " + node + " loses its data");
    long until = RESTART_DELAY + random.nextLong(200 * MILLI);
    later(until, this::wipe);
  }

  private void forget() {
    int node = random.nextInt(nodes.size());
    if (random.nextInt(4) > 0) {
      nodes.get(node).delete();
      note("node " + node + " forgets the lock");
    } else {
      long by = random.nextLong(2 * TTL);
      nodes.get(node).stepAhead(by);
      note("the clock of node " + node + " steps ahead by " + by + " us");
    }
    later(random.nextLong(20 * MILLI), this::forget);
  }

  boolean counts(int node) {
    return bugs.contains(Bug.NO_RESTART_DELAY) || nodes.get(node).counts(now, RESTART_DELAY);
  }

  void note(String what) {
    history.add((now % 100_000_000) / 1000.0 + " ms " + what);
    if (history.size() > 60) {
      history.remove(0);
    }
  }

  private long delay() {
    if (fault == Fault.FORGETS) {
      // Mostly in time, and often late enough for something to happen in between.
      return random.nextLong(random.nextInt(3) == 0 ? TIME_OUT : 2 * MILLI);
    }
    return random.nextInt(10) == 0 ? random.nextLong(60 * MILLI) : random.nextLong(2 * MILLI);
  }

  /** A request and its answer, each of which may be lost, or late, or carried out twice. */
  void send(Runnable atNode, Runnable answered, Runnable timedOut) {
    boolean[] done = new boolean[1];
    // A second copy could take anew what the node forgot, under the old vote. A connection has
    // none.
    int copies = fault != Fault.FORGETS && random.nextInt(20) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      if (random.nextDouble() >= loss) {
        later(
            delay(),
            () -> {
              atNode.run();
              if (random.nextDouble() >= loss) {
                later(delay(), () -> finish(done, answered));
              }
            });
      }
    }
    later(TIME_OUT, () -> finish(done, timedOut));
  }

  private static void finish(boolean[] done, Runnable action) {
    if (!done[0]) {
      done[0] = true;
      action.run();
    }
  }

  void granted(ModelClient client, long token, boolean inTwoRounds) {
    if (inTwoRounds) {
      twoRounds++;
    }
    grants++;
    note(client.name + " is granted the lock, token " + token);
    for (ModelClient other : clients) {
      if (fault != Fault.FORGETS && other != client && other.holdsAt(now)) {
        violation = Optional.of(other.name + " and " + client.name + " hold at once");
      }
    }
    long before = now - (fault == Fault.FORGETS ? TIME_OUT + FRESH : 0);
    told.addLast(new Told(now, token));
    while (told.getFirst().at() < before || (told.size() > 1 && fault != Fault.FORGETS)) {
      lastToken = Math.max(lastToken, told.removeFirst().token());
    }
    if (token <= lastToken) {
      violation = Optional.of("token " + token + " after " + lastToken);
    }
  }

  /** The seeds from {@code first} on, until one fails. */
  static Found explore(long first, int seeds, Set<Bug> bugs) {
    long steps = 0;
    long grants = 0;
    long twoRounds = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      Explorer explorer = new Explorer(seed, bugs);
      Optional<String> violation = explorer.run();
      steps += explorer.steps();
      grants += explorer.grants();
      twoRounds += explorer.twoRounds();
      if (violation.isPresent()) {
        return new Found(
            Optional.of("seed " + seed + ": " + violation.get()), steps, grants, twoRounds);
      }
    }
    return new Found(Optional.empty(), steps, grants, twoRounds);
  }

  /**
   * The result of a seed.
   *
   * @param violation with its seed and the end of its history
   */
  record Found(Optional<String> violation, long steps, long grants, long twoRounds) {}
}
