/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

/** The operations whose time rules measure on the way. */
public enum Bound {
  /** From the end of a process that held a lock, by a kill or without a release, to the next. */
  FREE_AFTER_DEATH("free after its holder has died"),
  /** From the moment at which a holder is cut off until it is told. */
  LOSS_WHEN_CUT_OFF("loss told to a holder that is cut off"),
  /** From the moment at which somebody takes a lock away until its holder is told. */
  LOSS_WHEN_TAKEN_AWAY("loss told of a lock that was taken away"),
  /** From a release to the grant for another client that waits. */
  HAND_OVER("handed over to a waiting client"),
  /** From the request for a lock that is free to the lease. */
  GRANT("granted when free");

  private final String words;

  Bound(String words) {
    this.words = words;
  }

  /**
   * The operation in words, for people.
   *
   * @return in words
   */
  public String words() {
    return words;
  }
}
