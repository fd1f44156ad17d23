/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The renewals of one claim that are under way. The server compares only the owner, which stays
 * when the end of a lock is set: a renewal that arrived after that would undo it. So what sets the
 * end waits for the renewals that are under way, and those that were asked for before are not sent
 * any more, nor sent again.
 */
final class PendingRenewals {

  private final ReentrantLock lock = new ReentrantLock();
  private CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);

  /** How often an end was set; a renewal may be sent while this is what it was. */
  private long ends;

  private int unansweredEnds;

  /** The number that a renewal carries which is asked for now. */
  long ends() {
    lock.lock();
    try {
      return ends;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A renewal is about to be sent, or sent again.
   *
   * @param asked {@link #ends} when it was asked for
   * @param answered completes when it can have no effect any more
   * @return whether it may be sent
   */
  boolean begin(long asked, CompletableFuture<?> answered) {
    lock.lock();
    try {
      if (asked != ends || unansweredEnds > 0) {
        return false;
      }
      underWay = underWay.isDone() ? answered : CompletableFuture.allOf(underWay, answered);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** An end is about to be set, when what this answers is done: no renewal is under way then. */
  CompletableFuture<?> end() {
    lock.lock();
    try {
      ends++;
      unansweredEnds++;
      return underWay;
    } finally {
      lock.unlock();
    }
  }

  /** Renewals that are asked for from now on may be sent. Not called after a release. */
  void endAnswered() {
    lock.lock();
    try {
      unansweredEnds--;
    } finally {
      lock.unlock();
    }
  }
}
