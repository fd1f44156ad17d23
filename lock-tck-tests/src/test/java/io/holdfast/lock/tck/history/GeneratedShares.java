/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes up what some processes might write that share a name, one millisecond after another: each
 * asks, waits, holds, releases and begins anew, and the last of them is killed while it holds. The
 * server keeps a queue and its promises, unless it is told not to.
 */
final class GeneratedShares {

  /** The fault of the server. */
  enum Fault {
    NONE,
    LEAKS_AT_A_KILL,
    READERS_SLIP_IN,
    WRITER_STARVES,
    CAPACITY_CHANGES
  }

  private static final long LENGTH = 14_000;
  private static final long KILL = 2_000;
  private static final long FAULTY_SINCE = 1_000;
  private static final long TTL = 2_000;
  private static final long TOLD_AGAIN = 50;
  private static final int LONGEST_HOLD = 40;
  private static final int LONGEST_REST = 20;

  /** The state of a process. */
  private enum State {
    RESTING,
    WAITING,
    HOLDING,
    DEAD
  }

  private static final class Client {
    final String name;
    Share share;
    State state = State.RESTING;
    long attempt;
    long until;
    long asked;

    Client(String name, Share share) {
      this.name = name;
      this.share = share;
    }
  }

  private final Story story = new Story();
  private final List<Client> clients = new ArrayList<>();
  private final List<Client> queue = new ArrayList<>();
  private final Fault fault;
  private final Random random;
  private long token;

  private GeneratedShares(Fault fault, long seed, List<Share> shares) {
    this.fault = fault;
    this.random = new Random(seed);
    for (Share share : shares) {
      clients.add(new Client("p" + (clients.size() + 1), share));
    }
  }

  /** Each process asks for one of the shares, time and again. */
  static Story of(Fault fault, long seed, List<Share> shares) {
    GeneratedShares run = new GeneratedShares(fault, seed, shares);
    for (long at = 1; at < LENGTH; at++) {
      run.step(at);
    }
    run.end();
    return run.story;
  }

  private void step(long at) {
    for (Client client : clients) {
      if (client.state == State.RESTING && client.until <= at) {
        ask(client, at);
      } else if (client.state == State.HOLDING && client.until <= at) {
        story.add(new Event.Believed(Story.ms(at), client.name, client.attempt));
        story.released(client.name, client.attempt, at, ReleaseOutcome.RELEASED);
        rest(client, at);
      }
    }
    Client last = clients.get(clients.size() - 1);
    if (at >= KILL && last.state == State.HOLDING) {
      story.killed(last.name, at);
      last.state = State.DEAD;
      last.until = fault == Fault.LEAKS_AT_A_KILL ? Long.MAX_VALUE : at + TTL;
    }
    for (Client client : List.copyOf(queue)) {
      if (isGranted(client, at)) {
        grant(client, at);
      } else if ((at - client.asked) % TOLD_AGAIN == 0) {
        story.as(client.share).queued(client.name, client.attempt, at);
      }
    }
  }

  private void ask(Client client, long at) {
    if (fault == Fault.CAPACITY_CHANGES && at > FAULTY_SINCE && client == clients.get(0)) {
      client.share = Share.of(1, client.share.capacity() + 1);
    }
    client.attempt++;
    client.asked = at;
    client.state = State.WAITING;
    story.as(client.share).asked(client.name, client.attempt, at);
    queue.add(client);
  }

  private boolean isGranted(Client client, long at) {
    boolean lies = at > FAULTY_SINCE;
    boolean reads = client.share.mode() == Share.Mode.READ;
    if (fault == Fault.WRITER_STARVES && lies) {
      return reads && fits(client, at);
    }
    if (fault == Fault.READERS_SLIP_IN && lies && reads) {
      return true;
    }
    // Those that fit pass those that do not where some permits never come back, or all would stop.
    boolean inTurn = queue.get(0) == client || fault == Fault.LEAKS_AT_A_KILL;
    return inTurn && fits(client, at);
  }

  private boolean fits(Client client, long at) {
    long held =
        clients.stream()
            .filter(
                other ->
                    other.state == State.HOLDING || (other.state == State.DEAD && other.until > at))
            .mapToLong(other -> other.share.permits())
            .sum();
    return held + client.share.permits() <= client.share.capacity();
  }

  private void grant(Client client, long at) {
    queue.remove(client);
    client.state = State.HOLDING;
    client.until = at + 2 + random.nextInt(LONGEST_HOLD);
    story.granted(client.name, client.attempt, at, ++token, TTL);
  }

  private void rest(Client client, long at) {
    client.state = State.RESTING;
    client.until = at + 1 + random.nextInt(LONGEST_REST);
  }

  /** The clients that wait or hold then are closed. */
  private void end() {
    for (Client client : clients) {
      if (client.state == State.WAITING) {
        story.refused(client.name, client.attempt, LENGTH, Refusal.CLOSED);
      } else if (client.state == State.HOLDING) {
        story.released(client.name, client.attempt, LENGTH, ReleaseOutcome.RELEASED);
      }
    }
  }
}
