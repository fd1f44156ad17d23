/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockUnavailableException;
import java.time.Duration;
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
    /** Whatever a node says to a renewal, it is prolonged. */
    RENEWAL_BELIEVED,
    /** A vote counts for as long as the ballot lasts. */
    VOTES_KEPT
  }

  /** What nodes suffer in one seed. */
  private enum Fault {
    /** They restart without their data, one at a time. */
    WIPED,
    /** They lose the lock and nothing else: deleted, or ended early by a step of the clock. */
    FORGETS
  }

  /** A grant that was told. */
  private record Told(long at, long token) {}

  private static final long MILLI = 1_000;
  private static final long TTL = 100 * MILLI;
  private static final long TIME_OUT = 20 * MILLI;
  private static final long END = 2_000 * MILLI;
  private static final long FRESH = 5 * MILLI;
  private static final long LONGEST_SKEW = 10 * MILLI;
  private static final long RESTART_DELAY = TTL + ModelNode.GRAIN + 2 * LONGEST_SKEW;

  private record Event(long at, long order, Runnable action) {}

  private final Random random;
  private final Set<Bug> bugs;
  private final List<ModelNode> nodes = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final List<String> history = new ArrayList<>();
  private final Deque<Told> told = new ArrayDeque<>();
  private final Fault fault;
  private final double loss;
  private long now;
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
      clients.add(new Client(String.valueOf((char) ('A' + i))));
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

  private void later(long delay, Runnable action) {
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

  private boolean counts(int node) {
    return bugs.contains(Bug.NO_RESTART_DELAY) || nodes.get(node).counts(now, RESTART_DELAY);
  }

  private void note(String what) {
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
  private void send(Runnable atNode, Runnable answered, Runnable timedOut) {
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

  private void granted(Client client, long token) {
    grants++;
    note(client.name + " is granted the lock, token " + token);
    for (Client other : clients) {
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

  /** Acquires, renews a few times, releases or forgets, and begins again. */
  private final class Client {

    private final String name;
    private int claims;
    private String owner = "";
    private Ballot ballot = new Ballot(1, FRESH);
    private long sentAt;
    private long validUntil;
    private long greatest;
    private long token;
    private boolean raised;

    Client(String name) {
      this.name = name;
    }

    boolean holdsAt(long time) {
      return token > 0 && time < validUntil;
    }

    void begin() {
      claims++;
      owner = name + claims;
      token = 0;
      raised = false;
      attempt();
    }

    private void attempt() {
      sentAt = now;
      int quorum = Ballot.quorumOf(nodes.size());
      Ballot mine =
          new Ballot(
              nodes.size(),
              bugs.contains(Bug.QUORUM_TOO_SMALL) ? Math.max(1, quorum - 1) : quorum,
              bugs.contains(Bug.VOTES_KEPT) ? END : FRESH);
      ballot = mine;
      for (int node = 0; node < nodes.size(); node++) {
        ask(mine, node, greatest + 1);
      }
    }

    private void ask(Ballot mine, int node, long atLeast) {
      String who = owner;
      ModelNode at = nodes.get(node);
      Vote[] vote = new Vote[1];
      long asked = now;
      send(
          () -> vote[0] = vote(node, at.acquire(now, who, TTL, atLeast)),
          () -> {
            if (vote[0] instanceof Vote.Yes yes) {
              greatest = Math.max(greatest, yes.number());
            }
            act(mine, mine.voted(node, vote[0], asked, now));
          },
          () -> act(mine, mine.voted(node, silence(), asked, now)));
    }

    private Vote vote(int node, ModelNode.Answer answer) {
      if (answer.number().isEmpty()) {
        return new Vote.No(
            answer.owner(), Optional.of(Duration.ofNanos(answer.leftMicros() * 1000)));
      }
      return counts(node) ? new Vote.Yes(answer.number().get()) : silence();
    }

    private Vote silence() {
      return new Vote.None(new LockUnavailableException("no answer"));
    }

    @SuppressWarnings("ReferenceEquality") // This very ballot is meant.
    private void act(Ballot mine, Ballot.Next next) {
      if (mine != ballot) {
        return;
      }
      if (next instanceof Ballot.Raise raise && bugs.contains(Bug.NO_SECOND_ROUND)) {
        won(raise.token());
      } else if (next instanceof Ballot.Raise raise) {
        raised = true;
        raise.nodes().forEach(node -> raise(mine, node, raise.token()));
      } else if (next instanceof Ballot.AskAgain again) {
        later(
            random.nextLong(MILLI << Math.min(5, again.round())),
            () -> again.nodes().forEach(node -> ask(mine, node, greatest + 1)));
      } else if (next instanceof Ballot.Won won) {
        won(won.token());
      } else if (!(next instanceof Ballot.Wait)) {
        undo();
        later(random.nextLong(20 * MILLI), this::begin);
      }
    }

    private void raise(Ballot mine, int node, long number) {
      String who = owner;
      boolean[] stands = new boolean[1];
      long asked = now;
      LockUnavailableException no = new LockUnavailableException("not raised");
      send(
          () -> stands[0] = nodes.get(node).raise(now, who, number),
          () ->
              act(
                  mine,
                  stands[0]
                      ? mine.raised(node, number, asked, now)
                      : mine.notRaised(node, no, now)),
          () -> act(mine, mine.notRaised(node, no, now)));
    }

    private void won(long number) {
      ballot = new Ballot(nodes.size(), FRESH);
      long from = bugs.contains(Bug.VALIDITY_FROM_THE_ANSWER) ? now : sentAt;
      validUntil = from + TTL - TTL / 100;
      if (now >= validUntil) {
        undo();
        later(random.nextLong(20 * MILLI), this::begin);
        return;
      }
      if (raised) {
        twoRounds++;
      }
      granted(this, number);
      token = number;
      later(TTL / 3, () -> renew(owner, random.nextInt(4)));
    }

    private void renew(String who, int more) {
      if (!who.equals(owner)) {
        return;
      }
      if (!holdsAt(now)) {
        end();
        return;
      }
      if (more == 0) {
        end();
        return;
      }
      long began = now;
      Tally tally = new Tally(nodes.size());
      List<Integer> without = new ArrayList<>();
      for (int node = 0; node < nodes.size(); node++) {
        prolong(who, node, tally, without, began);
      }
      later(TTL / 3, () -> renew(who, more - 1));
    }

    private void prolong(String who, int node, Tally tally, List<Integer> without, long began) {
      boolean[] owned = new boolean[1];
      send(
          () ->
              owned[0] =
                  nodes.get(node).prolong(now, who, TTL) || bugs.contains(Bug.RENEWAL_BELIEVED),
          () -> {
            if (!owned[0]) {
              without.add(node);
            }
            prolonged(who, tally.answered(owned[0]), without, began);
          },
          () -> tally.failed(new LockUnavailableException("no answer")));
    }

    private void prolonged(String who, Tally.Outcome outcome, List<Integer> without, long began) {
      if (!who.equals(owner) || outcome != Tally.Outcome.OURS || !holdsAt(now)) {
        return;
      }
      validUntil = Math.max(validUntil, began + TTL - TTL / 100);
      for (int node : without) {
        ModelNode at = nodes.get(node);
        long least = token;
        send(() -> at.acquire(now, who, TTL, least), () -> {}, () -> {});
      }
      without.clear();
    }

    private void end() {
      note(name + " ends");
      token = 0;
      if (random.nextInt(3) > 0) {
        undo();
      }
      later(random.nextLong(10 * MILLI), this::begin);
    }

    private void undo() {
      String who = owner;
      for (ModelNode node : nodes) {
        send(
            () -> {
              if (bugs.contains(Bug.RELEASE_OF_ANYBODYS)) {
                clients.forEach(any -> node.release(now, any.owner));
              }
              node.release(now, who);
            },
            () -> {},
            () -> {});
      }
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
   * What came of it.
   *
   * @param violation with its seed and the end of its history
   */
  record Found(Optional<String> violation, long steps, long grants, long twoRounds) {}
}
