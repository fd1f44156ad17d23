/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

/** Checks of tokens that all guards share. */
final class TokenChecks {

  private TokenChecks() {}

  static void check(long token) {
    if (token < 1) {
      throw new IllegalArgumentException("token must be positive, but is " + token);
    }
  }
}
