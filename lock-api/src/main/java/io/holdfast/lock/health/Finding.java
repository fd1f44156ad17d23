/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.health;

import java.util.Objects;

/**
 * An observation about a server, and the promise that it touches.
 *
 * @param severity how bad it is
 * @param promise what would break, or is well
 * @param text what was found, in a sentence
 * @param remedy what to do about it; empty if all is well
 */
public record Finding(Severity severity, Promise promise, String text, String remedy) {

  /** Checks that nothing is null, and that bad news come with a remedy. */
  public Finding {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(promise, "promise");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(remedy, "remedy");
    if (severity != Severity.OK && remedy.isEmpty()) {
      throw new IllegalArgumentException("remedy must not be empty: " + text);
    }
  }

  /**
   * Good news.
   *
   * @param promise what is well
   * @param text what was found
   * @return the finding
   */
  public static Finding ok(Promise promise, String text) {
    return new Finding(Severity.OK, promise, text, "");
  }

  /**
   * Something that breaks a promise when something else happens: a restart, a fail-over, a step of
   * a clock.
   *
   * @param promise what would break
   * @param text what was found
   * @param remedy what to do
   * @return the finding
   */
  public static Finding warning(Promise promise, String text, String remedy) {
    return new Finding(Severity.WARNING, promise, text, remedy);
  }

  /**
   * Something that breaks a promise in daily use.
   *
   * @param promise what breaks
   * @param text what was found
   * @param remedy what to do
   * @return the finding
   */
  public static Finding broken(Promise promise, String text, String remedy) {
    return new Finding(Severity.BROKEN, promise, text, remedy);
  }

  /** From good to bad. */
  public enum Severity {
    /** All is well. */
    OK,
    /** A promise breaks if something else happens. */
    WARNING,
    /** A promise breaks in daily use. */
    BROKEN
  }

  /** A promise that a server has a part in. */
  public enum Promise {
    /** The server can be asked, and answers in time. */
    AVAILABILITY,
    /** No two leases of one lock are valid at the same instant. */
    EXCLUSION,
    /** Tokens only grow. */
    FENCING,
    /** The lock of a holder that died is free in time. */
    TAKE_OVER,
    /** A request without an answer is undone. */
    CLEAN_UP,
    /** Nobody else can read what is sent to the server, or take and delete its locks. */
    ACCESS
  }
}
