/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

/**
 * Fencing tokens as users see them: the backend's number, and behind it ten bits for the place
 * within the tenure, so that a tenure can hand a lock on locally without asking the backend for a
 * number. Backends keep theirs below 2^53, which is microseconds since 1970 until the year 2255.
 */
final class Tokens {

  private static final int PLACE_BITS = 10;

  /** How many leases a tenure may have. */
  static final int MOST_PLACES = 1 << PLACE_BITS;

  private Tokens() {}

  /** The token of a lease by its place within a tenure, or 0 if the backend has no tokens. */
  static long at(long backendToken, int place) {
    return backendToken == 0 ? 0 : backendToken << PLACE_BITS | place;
  }

  /** The backend's number of the tenure to which a token belongs. */
  static long ofBackend(long token) {
    return token >> PLACE_BITS;
  }
}
