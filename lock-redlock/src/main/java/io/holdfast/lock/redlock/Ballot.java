/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
 * what to do next. It sends nothing, waits for nothing, and knows no clock. For one thread at a
 * time.
 *
 * <p><b>Token.</b> Each node's number is greater than all that it has stored before. So the
 * greatest of a quorum's numbers is greater than every token before, which another quorum has
 * stored. That greatest number (of the quorum with the lowest numbers, if there are more votes) is
 * the token, and the attempt is won when a quorum that holds the lock for the claim stores at least
 * that.
 *
 * <p><b>Split votes.</b> Where several claims have some nodes each and none has a quorum, the one
 * with the most nodes (of these the one with the first node) asks again, and the others withdraw.
 * All order the claims alike, and a claim only ever gains nodes before it withdraws, so two never
 * withdraw for each other.
 */
final class Ballot {

  /** What to do next. */
  sealed interface Next {}

  /** More answers are to come. */
  record Wait() implements Next {}

  /**
   * Have nodes store the token.
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
  private final @Nullable Vote[] votes;
  private final long[] stored;
  private final Set<Integer> raising = new HashSet<>();
  private final Map<Integer, LockException> gone = new HashMap<>();
  private int rounds;
  private boolean decided;

  Ballot(int nodes) {
    this(nodes, quorumOf(nodes));
  }

  Ballot(int nodes, int quorum) {
    this.quorum = quorum;
    this.votes = new Vote[nodes];
    this.stored = new long[nodes];
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

  /** A node has voted. */
  Next voted(int node, Vote vote) {
    votes[node] = vote;
    if (vote instanceof Vote.Yes yes) {
      stored[node] = yes.number();
    }
    return next();
  }

  /** A node has the claim still, and stores at least this. */
  Next raised(int node, long token) {
    raising.remove(node);
    stored[node] = Math.max(stored[node], token);
    return next();
  }

  /** A node could not be made to store the token. */
  Next notRaised(int node, LockException why) {
    raising.remove(node);
    gone.put(node, why);
    return next();
  }

  /** Instead of asking again: the split is not resolved in time. */
  Next concede() {
    decided = true;
    return lost();
  }

  private Next next() {
    if (decided) {
      return WAIT;
    }
    Next next = decide();
    decided = !(next instanceof Wait || next instanceof Raise || next instanceof AskAgain);
    return next;
  }

  private Next decide() {
    long[] numbers =
        Arrays.stream(votes)
            .filter(Vote.Yes.class::isInstance)
            .mapToLong(vote -> ((Vote.Yes) vote).number())
            .sorted()
            .toArray();
    return numbers.length >= quorum ? confirm(numbers[quorum - 1]) : count();
  }

  /** A quorum has voted for the claim; it has to agree on the token. */
  private Next confirm(long token) {
    int agreed = 0;
    int open = 0;
    Set<Integer> behind = new HashSet<>();
    for (int node = 0; node < votes.length; node++) {
      if (votes[node] == null || raising.contains(node)) {
        open++;
      } else if (votes[node] instanceof Vote.Yes && !gone.containsKey(node)) {
        if (stored[node] >= token) {
          agreed++;
        } else {
          behind.add(node);
        }
      }
    }
    if (agreed >= quorum) {
      return new Won(token);
    }
    if (!behind.isEmpty()) {
      raising.addAll(behind);
      return new Raise(token, behind);
    }
    return agreed + open >= quorum ? WAIT : new NoQuorum(causes());
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
    List<LockException> causes = new ArrayList<>(gone.values());
    for (Vote vote : votes) {
      if (vote instanceof Vote.None none) {
        causes.add(none.why());
      }
    }
    return causes;
  }
}
