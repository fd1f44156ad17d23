/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Share;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the rules take for a lock. */
final class RuleShare {

  private static final Pattern PERMITS = Pattern.compile("(\\d{1,7})/(\\d{1,7})");

  private RuleShare() {}

  static Share configured() {
    return parse(System.getProperty("holdfast.tck.share", "lock"));
  }

  /** Nothing that several owners may hold at a time: rules about locks do not hold for it. */
  static Share parse(String text) {
    Matcher permits = PERMITS.matcher(text);
    if (permits.matches()) {
      Share share =
          Share.of(Integer.parseInt(permits.group(1)), Integer.parseInt(permits.group(2)));
      if (share.isWhole()) {
        return share;
      }
    }
    return switch (text) {
      case "lock" -> Share.LOCK;
      case "write" -> Share.WRITE;
      default ->
          throw new IllegalArgumentException(
              "holdfast.tck.share must be lock, write, or all permits, such as 2/2, but is '%s'"
                  .formatted(text));
    };
  }
}
