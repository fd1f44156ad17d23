/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one claim at all nodes, as a state machine: told what each node says, it answers
 * what to do next. It sends nothing, waits for nothing, and reads no clock: it is told the times.
 * For one thread at a time.
 *
 * <p><b>Token.</b> Each node's number is greater than all that it has stored before. So the
 * greatest of a quorum's numbers is greater than every token before, which another quorum has
 * stored. That greatest number (of the quorum with the lowest numbers, if there are more votes) is
 * the token, and the attempt is won when a quorum that holds the lock for the claim stores at least
 * that.
 *
 * <p><b>Old votes.</b> A node can lose the lock after its vote. So when the votes of a quorum are
 * there, the nodes that were asked long before are asked again whether they still hold the lock,
 * with the same request that has a node store the token.
 *
 * <p><b>Split votes.</b> Where several claims have some nodes each and none has a quorum, the one
 * with the most nodes (of these the one with the first node) asks again, and the others withdraw.
 * All order the claims alike, and a claim only ever gains nodes before it withdraws, so two never
 * withdraw for each other.
 */
final class Ballot {

  /** The next step. */
  sealed interface Next {}

  /** More answers are to come. */
  record Wait() implements Next {}

  /**
   * Have nodes store the token, and say whether they still hold the lock.
   *
   * @param token at least this
   * @param nodes which
   */
  record Raise(long token, Set<Integer> nodes) implements Next {}

  /**
   * The vote is split, and it is for the others to withdraw: ask these nodes again, a little later.
   *
   * @param round how often this was the answer
   * @param nodes which
   */
  record AskAgain(int round, Set<Integer> nodes) implements Next {}

  /**
   * A quorum holds the lock for the claim.
   *
   * @param token of the grant
   */
  record Won(long token) implements Next {}

  /**
   * Others hold too many nodes. To be undone everywhere.
   *
   * @param askAgainIn when a quorum may be free without anybody's doing
   */
  record Lost(Optional<Duration> askAgainIn) implements Next {}

  /**
   * Too many nodes do not count. To be undone everywhere.
   *
   * @param causes why not, one for each node
   */
  record NoQuorum(List<LockException> causes) implements Next {}

  private static final Wait WAIT = new Wait();
  private static final int MOST_ROUNDS = 10;

  private final int quorum;
  private final long freshFor;
  private final @Nullable Vote[] votes;
  private final long[] stored;
  private final long[] askedAt;

  /** The nodes that were told to store the token and have not answered: since when. */
  private final Map<Integer, Long> raising = new HashMap<>();

  private boolean complete;
  private long completeAt;
  private int rounds;
  private boolean decided;

  /**
   * A ballot without votes.
   *
   * @param nodes how many there are
   * @param freshFor for how long after a node was asked its vote counts without another question,
   *     in the unit of the times that are told
   */
  Ballot(int nodes, long freshFor) {
    this(nodes, quorumOf(nodes), freshFor);
  }

  Ballot(int nodes, int quorum, long freshFor) {
    this.quorum = quorum;
    this.freshFor = freshFor;
    this.votes = new Vote[nodes];
    this.stored = new long[nodes];
    this.askedAt = new long[nodes];
  }

  static int quorumOf(int nodes) {
    return nodes / 2 + 1;
  }

  /** Whether the last answer was final; then no further one is. */
  boolean isDecided() {
    return decided;
  }

  /** The nodes that have said yes so far. */
  Set<Integer> supporters() {
    Set<Integer> nodes = new HashSet<>();
    for (int node = 0; node < votes.length; node++) {
      if (votes[node] instanceof Vote.Yes) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /**
   * A node has voted.
   *
   * @param asked before it was asked
   * @param now at or after its answer
   */
  Next voted(int node, Vote vote, long asked, long now) {
    votes[node] = vote;
    askedAt[node] = asked;
    if (vote instanceof Vote.Yes yes) {
      stored[node] = yes.number();
    }
    if (!complete) {
      complete(now);
    }
    return next(now);
  }

  /** From here on, what nodes have said long before has to be said again. */
  private void complete(long now) {
    complete = supporters().size() >= quorum;
    completeAt = now;
  }

  /**
   * A node has the claim still, and stores at least this.
   *
   * @param asked before it was asked
   * @param now at or after its answer
   */
  Next raised(int node, long token, long asked, long now) {
    Long since = raising.get(node);
    if (since != null && asked - since >= 0) {
      raising.remove(node);
      askedAt[node] = asked;
    }
    stored[node] = Math.max(stored[node], token);
    return next(now);
  }

  /**
   * A node does not have the claim any more, or has not said so. Its vote does not count, and the
   * others are asked again if they were asked long ago.
   *
   * @param now at or after its answer
   */
  Next notRaised(int node, LockException why, long now) {
    raising.remove(node);
    votes[node] = new Vote.None(why);
    complete(now);
    return next(now);
  }

  /** Instead of asking again: the split is not resolved in time. */
  Next giveUp() {
    decided = true;
    return lost();
  }

  private Next next(long now) {
    if (decided) {
      return WAIT;
    }
    Next next = decide(now);
    decided = !(next instanceof Wait || next instanceof Raise || next instanceof AskAgain);
    return next;
  }

  private Next decide(long now) {
    return supporters().size() >= quorum ? confirm(now) : count();
  }

  /** A quorum has voted for the claim; it has to hold the lock still, and agree on the token. */
  private Next confirm(long now) {
    Set<Integer> holding = supporters();
    holding.removeIf(node -> !isFresh(askedAt[node]));
    boolean held = holding.size() >= quorum;
    // The number of a node that has lost the lock proves nothing.
    long token = tokenOf(held ? holding : supporters());
    int agreed = 0;
    Set<Integer> behind = new HashSet<>();
    for (int node : supporters()) {
      Long since = raising.get(node);
      if (holding.contains(node) && stored[node] >= token) {
        agreed++;
      } else if (since == null || !isFresh(since)) {
        behind.add(node);
      }
    }
    if (held && agreed >= quorum) {
      return new Won(token);
    }
    if (!behind.isEmpty()) {
      behind.forEach(node -> raising.put(node, now));
      return new Raise(token, behind);
    }
    return WAIT;
  }

  /** The greatest number of the quorum of these nodes whose numbers are lowest. */
  private long tokenOf(Set<Integer> nodes) {
    return nodes.stream()
        .mapToLong(node -> votes[node] instanceof Vote.Yes yes ? yes.number() : 0)
        .sorted()
        .skip(quorum - 1L)
        .findFirst()
        .orElseThrow();
  }

  private boolean isFresh(long asked) {
    return completeAt - asked <= freshFor;
  }

  /** No quorum has voted for the claim (yet). */
  private Next count() {
    int open = 0;
    int none = 0;
    boolean rejected = false;
    Map<String, Set<Integer>> others = new HashMap<>();
    for (int node = 0; node < votes.length; node++) {
      Vote vote = votes[node];
      if (vote == null) {
        open++;
      } else if (vote instanceof Vote.None no) {
        none++;
        rejected |= no.why() instanceof LockRejectedException;
      } else if (vote instanceof Vote.No no) {
        others.computeIfAbsent(no.owner(), owner -> new HashSet<>()).add(node);
      }
    }
    if (others.values().stream().anyMatch(held -> held.size() >= quorum)) {
      return lost();
    }
    if (votes.length - none < quorum) {
      if (rejected && open > 0) {
        // Whether it is worth while to try again depends on the others.
        return WAIT;
      }
      return others.isEmpty() ? new NoQuorum(causes()) : lost();
    }
    if (open > 0) {
      return WAIT;
    }
    return leads(supporters(), others.values()) && rounds < MOST_ROUNDS ? askAgain() : lost();
  }

  private AskAgain askAgain() {
    rounds++;
    Set<Integer> refused = new HashSet<>();
    for (int node = 0; node < votes.length; node++) {
      if (votes[node] instanceof Vote.No) {
        refused.add(node);
        votes[node] = null;
      }
    }
    return new AskAgain(rounds, refused);
  }

  private static boolean leads(Set<Integer> mine, Collection<Set<Integer>> others) {
    return !mine.isEmpty() && others.stream().noneMatch(theirs -> isBefore(theirs, mine));
  }

  private static boolean isBefore(Set<Integer> one, Set<Integer> other) {
    return one.size() != other.size() ? one.size() > other.size() : first(one) < first(other);
  }

  private static int first(Set<Integer> nodes) {
    return nodes.stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE);
  }

  private Lost lost() {
    List<Duration> free = new ArrayList<>();
    for (Vote vote : votes) {
      if (vote instanceof Vote.Yes) {
        free.add(Duration.ZERO);
      } else if (vote instanceof Vote.No no) {
        no.askAgainIn().ifPresent(free::add);
      }
    }
    free.sort(null);
    return new Lost(
        free.size() >= quorum && !free.get(quorum - 1).isZero()
            ? Optional.of(free.get(quorum - 1))
            : Optional.empty());
  }

  private List<LockException> causes() {
    List<LockException> causes = new ArrayList<>();
    for (Vote vote : votes) {
      if (vote instanceof Vote.None none) {
        causes.add(none.why());
      }
    }
    return causes;
  }
}
