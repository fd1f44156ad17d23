/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.ExpiryClock;
import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.Capabilities.Ordering;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.Capabilities.Scope;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.Capabilities.Survival;
import io.holdfast.lock.limit.LimiterProvider;
import io.holdfast.lock.spi.LockProvider;

/** A promise that a scenario may need from a backend. */
public enum Demand {

  /** No step of a wall clock gives a lock away: {@link ExpiryClock#SERVER_MONOTONIC}. */
  MONOTONIC_CLOCK(
      "exclusion that does not rest on a wall clock",
      "a step of its server's wall clock can give a held lock away"),

  /** Tokens with which a resource can refuse an earlier holder: any {@link Fencing}. */
  FENCING(
      "fencing tokens",
      "it has no tokens, so a resource cannot tell an old holder from the new one"),

  /**
   * The server takes the lock from a holder that died, was cut off or is suspended: every {@link
   * Lifetime} but {@link Lifetime#TRANSACTION}.
   */
  FAILURE_DETECTION(
      "failure detection", "a suspended holder keeps the lock as long as its connection is open"),

  /** Candidates take turns, or a former leader can be recognised by its token. */
  QUEUE_OR_FENCING("a queue or fencing tokens", "it has neither"),

  /** The caller's writes are in the lock's transaction: {@link Scope#TRANSACTION}. */
  TRANSACTION_SCOPE(
      "a lock that ends with a transaction of the caller", "its leases stand for themselves"),

  /** Held locks stay held when a server dies: {@link Survival#MINORITY}. */
  SURVIVAL("locks that outlive the death of one server", "its locks are at one server"),

  /**
   * A name stays taken after an early release: any {@link Retention} but {@link Retention#NONE}.
   */
  MINIMUM_HOLD("a minimum hold", "a release of it is a commit, after which nothing is kept"),

  /** A name stays taken after a loss: {@link Retention#SERVER}. */
  LOCK_DELAY("a lock delay", "its server frees the lock of a holder that is lost"),

  /** Many read a name, or one writes: any {@link Sharing} but {@link Sharing#NONE}. */
  READ_WRITE_LOCKS("read-write locks", "its locks have one owner at a time"),

  /** Several owners hold permits of a name: {@link Sharing#hasSemaphores()}. */
  SEMAPHORES("semaphores", "its locks have no permits that several owners could hold"),

  /** Permits are counted, and no locks kept: a {@link LimiterProvider}. */
  PERMITS("counting of permits", "it has locks, but no permits");

  private final String text;
  private final String lack;

  Demand(String text, String lack) {
    this.text = text;
    this.lack = lack;
  }

  /**
   * Whether a backend of this provider meets the demand. Connects to nothing.
   *
   * @param provider of the backend
   * @return whether it does
   */
  public boolean isMetBy(LockProvider provider) {
    Capabilities promises = provider.capabilities();
    boolean fenced = promises.fencing() != Fencing.NONE;
    return switch (this) {
      case MONOTONIC_CLOCK -> promises.expiryClock() == ExpiryClock.SERVER_MONOTONIC;
      case FENCING -> fenced;
      case FAILURE_DETECTION -> promises.lifetime() != Lifetime.TRANSACTION;
      case QUEUE_OR_FENCING -> fenced || promises.ordering() == Ordering.FIRST_COME_FIRST_SERVED;
      case TRANSACTION_SCOPE -> promises.scope() == Scope.TRANSACTION;
      case SURVIVAL -> promises.survival() == Survival.MINORITY;
      case MINIMUM_HOLD -> promises.retention() != Retention.NONE;
      case LOCK_DELAY -> promises.retention() == Retention.SERVER;
      case READ_WRITE_LOCKS -> promises.sharing() != Sharing.NONE;
      case SEMAPHORES -> promises.sharing().hasSemaphores();
      case PERMITS -> provider instanceof LimiterProvider;
    };
  }

  /**
   * Names the promise that is demanded.
   *
   * @return words for the middle of a sentence
   */
  public String text() {
    return text;
  }

  /**
   * Says what is wrong with a backend that does not meet it.
   *
   * @return words for the middle of a sentence, in which the backend is "it"
   */
  public String lack() {
    return lack;
  }
}
