/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

import io.holdfast.lock.Lease;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fencing token in a request of HTTP: the header {@code Fencing-Token}, whose value is the token
 * in decimal digits, from 1 to 9223372036854775807, without sign, leading zeros or blanks; once.
 *
 * <p><b>What the receiver does</b> before it changes anything: without the header it answers 428
 * (Precondition Required), to a malformed one 400; to a token that is smaller than the greatest
 * that this resource has seen 412 (Precondition Failed), and otherwise it remembers the token with
 * the resource, in the same transaction as the change. The sender that gets a 412 has lost its
 * lock: it stops, and does not try again.
 */
public final class FencingHeader {

  /** The name of the header. */
  public static final String NAME = "Fencing-Token";

  private static final Pattern VALUE = Pattern.compile("[1-9][0-9]{0,18}");
  private static final int SHOWN = 40;

  private FencingHeader() {}

  /**
   * The header's value, for the sender.
   *
   * @param lease under which it writes
   * @return the value
   * @throws UnsupportedOperationException if the backend has no tokens
   */
  public static String of(Lease lease) {
    return Long.toString(lease.fencingToken());
  }

  /**
   * Reads the header's value, for the receiver.
   *
   * @param value of the header; null if there is none
   * @return the token
   * @throws IllegalArgumentException if there is none, or it is malformed; the message says so to
   *     the sender
   */
  public static long parse(@Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException("The header " + NAME + " is missing");
    }
    if (VALUE.matcher(value).matches()) {
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw malformed(value);
      }
    }
    throw malformed(value);
  }

  private static IllegalArgumentException malformed(String value) {
    return new IllegalArgumentException(
        "The header %s must be a number from 1 to %d in decimal digits, but is '%s'"
            .formatted(
                NAME,
                Long.MAX_VALUE,
                value.length() > SHOWN ? value.substring(0, SHOWN) + "…" : value));
  }
}
