/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client of the model: acquires, renews a few times, releases or forgets, and begins again. */
final class ModelClient {

  final String name;

  private final Explorer model;
  private int claims;
  private String owner = "";
  private Ballot ballot = new Ballot(1, Explorer.FRESH);
  private long sentAt;
  private long validUntil;
  private long greatest;
  private long token;
  private boolean raised;

  ModelClient(Explorer model, String name) {
    this.model = model;
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
    sentAt = model.now;
    int quorum = Ballot.quorumOf(model.nodes.size());
    Ballot mine =
        new Ballot(
            model.nodes.size(),
            model.bugs.contains(Explorer.Bug.QUORUM_TOO_SMALL) ? Math.max(1, quorum - 1) : quorum,
            model.bugs.contains(Explorer.Bug.VOTES_KEPT) ? Explorer.END : Explorer.FRESH);
    ballot = mine;
    for (int node = 0; node < model.nodes.size(); node++) {
      ask(mine, node, greatest + 1);
    }
  }

  private void ask(Ballot mine, int node, long atLeast) {
    String who = owner;
    ModelNode at = model.nodes.get(node);
    Vote[] vote = new Vote[1];
    long asked = model.now;
    model.send(
        () -> vote[0] = vote(node, at.acquire(model.now, who, Explorer.TTL, atLeast)),
        () -> {
          if (vote[0] instanceof Vote.Yes yes) {
            greatest = Math.max(greatest, yes.number());
          }
          act(mine, mine.voted(node, vote[0], asked, model.now));
        },
        () -> act(mine, mine.voted(node, silence(), asked, model.now)));
  }

  private Vote vote(int node, ModelNode.Answer answer) {
    if (answer.number().isEmpty()) {
      return new Vote.No(answer.owner(), Optional.of(Duration.ofNanos(answer.leftMicros() * 1000)));
    }
    return model.counts(node) ? new Vote.Yes(answer.number().get()) : silence();
  }

  private Vote silence() {
    return new Vote.None(new LockUnavailableException("no answer"));
  }

  @SuppressWarnings("ReferenceEquality") // This very ballot is meant.
  private void act(Ballot mine, Ballot.Next next) {
    if (mine != ballot) {
      return;
    }
    if (next instanceof Ballot.Raise raise && model.bugs.contains(Explorer.Bug.NO_SECOND_ROUND)) {
      won(raise.token());
    } else if (next instanceof Ballot.Raise raise) {
      raised = true;
      raise.nodes().forEach(node -> raise(mine, node, raise.token()));
    } else if (next instanceof Ballot.AskAgain again) {
      model.later(
          model.random.nextLong(Explorer.MILLI << Math.min(5, again.round())),
          () -> again.nodes().forEach(node -> ask(mine, node, greatest + 1)));
    } else if (next instanceof Ballot.Won won) {
      won(won.token());
    } else if (!(next instanceof Ballot.Wait)) {
      undo();
      model.later(model.random.nextLong(20 * Explorer.MILLI), this::begin);
    }
  }

  private void raise(Ballot mine, int node, long number) {
    String who = owner;
    boolean[] stands = new boolean[1];
    long asked = model.now;
    LockUnavailableException no = new LockUnavailableException("not raised");
    model.send(
        () -> stands[0] = model.nodes.get(node).raise(model.now, who, number),
        () ->
            act(
                mine,
                stands[0]
                    ? mine.raised(node, number, asked, model.now)
                    : mine.notRaised(node, no, model.now)),
        () -> act(mine, mine.notRaised(node, no, model.now)));
  }

  private void won(long number) {
    ballot = new Ballot(model.nodes.size(), Explorer.FRESH);
    long from = model.bugs.contains(Explorer.Bug.VALIDITY_FROM_THE_ANSWER) ? model.now : sentAt;
    validUntil = from + Explorer.TTL - Explorer.TTL / 100;
    if (model.now >= validUntil) {
      undo();
      model.later(model.random.nextLong(20 * Explorer.MILLI), this::begin);
      return;
    }
    model.granted(this, number, raised);
    token = number;
    model.later(Explorer.TTL / 3, () -> renew(owner, model.random.nextInt(4)));
  }

  private void renew(String who, int more) {
    if (!who.equals(owner)) {
      return;
    }
    if (!holdsAt(model.now)) {
      end();
      return;
    }
    if (more == 0) {
      end();
      return;
    }
    long began = model.now;
    Tally tally = new Tally(model.nodes.size());
    List<Integer> without = new ArrayList<>();
    for (int node = 0; node < model.nodes.size(); node++) {
      prolong(who, node, tally, without, began);
    }
    model.later(Explorer.TTL / 3, () -> renew(who, more - 1));
  }

  private void prolong(String who, int node, Tally tally, List<Integer> without, long began) {
    boolean[] owned = new boolean[1];
    model.send(
        () ->
            owned[0] =
                model.nodes.get(node).prolong(model.now, who, Explorer.TTL)
                    || model.bugs.contains(Explorer.Bug.RENEWAL_BELIEVED),
        () -> {
          if (!owned[0]) {
            without.add(node);
          }
          prolonged(who, tally.answered(owned[0]), without, began);
        },
        () -> tally.failed(new LockUnavailableException("no answer")));
  }

  private void prolonged(String who, Tally.Outcome outcome, List<Integer> without, long began) {
    if (!who.equals(owner) || outcome != Tally.Outcome.OURS || !holdsAt(model.now)) {
      return;
    }
    validUntil = Math.max(validUntil, began + Explorer.TTL - Explorer.TTL / 100);
    for (int node : without) {
      ModelNode at = model.nodes.get(node);
      long least = token;
      model.send(() -> at.acquire(model.now, who, Explorer.TTL, least), () -> {}, () -> {});
    }
    without.clear();
  }

  private void end() {
    model.note(name + " ends");
    token = 0;
    if (model.random.nextInt(3) > 0) {
      undo();
    }
    model.later(model.random.nextLong(10 * Explorer.MILLI), this::begin);
  }

  private void undo() {
    String who = owner;
    for (ModelNode node : model.nodes) {
      model.send(
          () -> {
            if (model.bugs.contains(Explorer.Bug.RELEASE_OF_ANYBODYS)) {
              model.clients.forEach(any -> node.release(model.now, any.owner));
            }
            node.release(model.now, who);
          },
          () -> {},
          () -> {});
    }
  }
}
