/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import java.util.ArrayList;
import java.util.List;

/** Counts what the nodes say to a renewal or a release. For one thread at a time. */
final class Tally {

  enum Outcome {
    /** Answers are missing that can still decide. */
    OPEN,
    /** A quorum says that the lock was the claim's. */
    OURS,
    /** So many say that it was not that no quorum can say that it was. */
    NOT_OURS,
    /** Neither, and no answer is missing. */
    UNKNOWN
  }

  private final int nodes;
  private final int quorum;
  private final List<LockException> failures = new ArrayList<>();
  private int ours;
  private int notOurs;

  Tally(int nodes) {
    this.nodes = nodes;
    this.quorum = Ballot.quorumOf(nodes);
  }

  Outcome answered(boolean isOurs) {
    if (isOurs) {
      ours++;
    } else {
      notOurs++;
    }
    return outcome();
  }

  Outcome failed(LockException why) {
    failures.add(why);
    return outcome();
  }

  List<LockException> failures() {
    return failures;
  }

  private Outcome outcome() {
    if (ours >= quorum) {
      return Outcome.OURS;
    }
    if (notOurs > nodes - quorum) {
      return Outcome.NOT_OURS;
    }
    return ours + notOurs + failures.size() < nodes ? Outcome.OPEN : Outcome.UNKNOWN;
  }
}
