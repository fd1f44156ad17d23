/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state of one claim that may be at the server: its grant, its place in a queue, its name among
 * those that a release may tell to ask, and anything that a request without an answer may have
 * taken, or may still take.
 */
final class ClaimState {

  /** Since when it is known that there is no answer; the request went out before. */
  private record Unanswered(CommandConnection line, long since) {}

  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();

  /** Made when there is one, which mostly there is not. */
  private List<Unanswered> unanswered = Collections.emptyList();

  private boolean mayBeHere;
  private boolean freed;

  /** Not under the lock: requests are sent one after another, and others only look. */
  private volatile boolean mayBeNamed;

  /** As {@link #mayBeNamed}. */
  private volatile boolean othersFirst;

  /** Nothing is there. */
  ClaimState(TimeSource time) {
    this.time = time;
  }

  boolean mayBeHere() {
    lock.lock();
    try {
      return mayBeHere;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the server may name this claim to those who hear of a release. */
  boolean mayBeNamed() {
    return mayBeNamed;
  }

  /** From now on: a request is sent that has it named if it is refused. */
  void willBeNamed() {
    mayBeNamed = true;
  }

  /**
   * A release is about to be sent, after which the server names it no more.
   *
   * @return whether it may have been named before
   */
  boolean endNaming() {
    boolean named = mayBeNamed;
    mayBeNamed = false;
    return named;
  }

  /** Whether the server has told another client to ask when it freed the lock. */
  boolean isOthersTurn() {
    return othersFirst;
  }

  /**
   * The server has answered a request for the lock.
   *
   * @param queues whether one that is refused has a place in a queue
   * @return the answer
   */
  ClaimAnswer answered(ClaimAnswer answer, boolean queues) {
    if (answer instanceof ClaimAnswer.Taken) {
      mayBeNamed = false;
    }
    boolean waits = answer instanceof ClaimAnswer.Refused && queues;
    lock.lock();
    try {
      // With another capacity, what was there of it stays, a place in the queue, say.
      boolean stays = answer instanceof ClaimAnswer.OtherCapacity && mayBeHere;
      mayBeHere = answer instanceof ClaimAnswer.Taken || waits || stays || !unanswered.isEmpty();
      return answer;
    } finally {
      lock.unlock();
    }
  }

  /** A request for the lock that was sent on a line has got no answer. */
  void unanswered(CommandConnection line) {
    lock.lock();
    try {
      mayBeHere = true;
      if (unanswered.isEmpty()) {
        unanswered = new ArrayList<>();
      }
      unanswered.add(new Unanswered(line, time.nanos()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * The server has freed the lock, if it was this claim's.
   *
   * @param answer whether it was, and whose turn it is
   * @param ttl that was asked for
   * @param operation the beginning of the message
   * @return whether it was this claim's, now or when this was asked before
   * @throws LockUnavailableException if a request without an answer may still arrive
   */
  boolean settled(LockCalls.Freed answer, Duration ttl, String operation) {
    othersFirst = answer == LockCalls.Freed.OTHERS_FIRST;
    lock.lock();
    try {
      freed |= answer.wasOurs();
      long now = time.nanos();
      unanswered.removeIf(sent -> sent.line().dead || now - sent.since() > ttl.toNanos());
      if (!unanswered.isEmpty()) {
        throw new LockUnavailableException(
            operation
                + " is not final yet: an earlier request may still be on its way, and this Redis "
                + "user may not use CLIENT ID and CLIENT KILL, which would stop it");
      }
      boolean found = freed;
      mayBeHere = false;
      freed = false;
      return found;
    } finally {
      lock.unlock();
    }
  }
}
