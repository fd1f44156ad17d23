/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.List;
import java.util.Locale;

/**
 * Something in a history that must not be.
 *
 * @param kind which demand is hurt
 * @param sentence what happened, with names and times
 * @param events those that show it
 */
public record Violation(Kind kind, String sentence, List<Event> events) {

  /** Copies the list. */
  public Violation {
    events = List.copyOf(events);
  }

  /** The demands. */
  public enum Kind {
    /** Leases that were valid at once had more permits than there are. */
    OVERLAP,
    /** Leases that were valid at once had permits of different capacities. */
    TWO_CAPACITIES,
    /** A lease was valid again after its end. */
    VALID_AGAIN,
    /** A lock was taken from its holder, who went on believing for longer than a lease is valid. */
    STILL_BELIEVED,
    /** A later grant has no greater token. */
    TOKEN_ORDER,
    /** Two leases of a lock have one token. */
    TOKEN_TWICE,
    /** A resource accepted a token after a greater one. */
    STALE_WRITE,
    /** A resource refused the token of who held the lock. */
    HOLDER_REFUSED,
    /** A write was overwritten by one that had not seen it. */
    LOST_UPDATE,
    /** A loss was told more than once. */
    LOST_TWICE,
    /** A lease was released, by its own words, and told as lost. */
    RELEASED_AND_LOST,
    /** A lease ended, and its holder was not told in time. */
    NOT_TOLD(true),
    /** A lease ended, and its holder was told nothing, however long after. */
    NEVER_TOLD,
    /** A wait did not end at its limit. */
    WAITED_TOO_LONG(true),
    /** Somebody asked, and was never answered. */
    NO_ANSWER,
    /** A lock that was wanted was granted to nobody. */
    STUCK(true),
    /** The same, for so long that no standstill of a machine can be why. */
    NEVER_RECOVERED,
    /** A later waiter was served first. */
    OUT_OF_TURN,
    /** One after another came later, did not fit beside a waiter, and was served first. */
    STARVED,
    /** Something was left in the store. */
    RESIDUE,
    /** An attempt failed in a way that the contract does not know. */
    FAILED,
    /** A process ended that nobody had ended. */
    DIED;

    private final boolean aboutTime;

    Kind() {
      this(false);
    }

    Kind(boolean aboutTime) {
      this.aboutTime = aboutTime;
    }

    /** For people. */
    String words() {
      String words = name().replace('_', ' ').toLowerCase(Locale.ROOT);
      return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /**
     * Whether a machine that stood still may be what is at fault.
     *
     * @return whether a standstill may excuse it
     */
    public boolean isAboutTime() {
      return aboutTime;
    }
  }
}
