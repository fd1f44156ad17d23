/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.Set;

/**
 * A contestant that can be opened, in this process or in another.
 *
 * @param backend where it is measured, such as {@code redis}
 * @param kind whose it is
 * @param name unique within the backend
 * @param settings how it is set up, for the page
 * @param traits what it can do
 * @param opener opens it
 */
record Entry(
    String backend, Kind kind, String name, String settings, Set<Trait> traits, Opener opener) {

  /** The origin of a contestant. */
  enum Kind {
    /** This project's. */
    OURS,
    /** The bare commands of the same client library. */
    LIMIT,
    /** Another library. */
    PEER
  }

  /** A feature of a contestant. */
  enum Trait {
    /** Waits until the lock is free. */
    WAITS,
    /** Can hold thousands of locks at once, and keeps them alive. */
    HOLDS_MANY,
    /** Can take several locks that are held together. */
    TAKES_SEVERAL,
    /** Has read-write locks. */
    SHARES,
    /** Has semaphores. */
    COUNTS
  }

  /** Opens a contestant. */
  @FunctionalInterface
  interface Opener {
    Contestant open(Address address) throws Exception;
  }

  boolean can(Trait trait) {
    return traits.contains(trait);
  }

  Contestant open(Address address) throws Exception {
    return opener.open(address);
  }
}
