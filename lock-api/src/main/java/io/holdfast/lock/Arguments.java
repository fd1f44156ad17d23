/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Objects;

/** Checks of arguments, with messages that name the argument, the value and what is accepted. */
final class Arguments {

  private Arguments() {}

  static Duration positive(String what, Duration value) {
    Objects.requireNonNull(value, what);
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(what + " must be positive, but is " + TimeText.of(value));
    }
    return value;
  }

  static Duration between(String what, Duration value, Duration min, Duration max) {
    Objects.requireNonNull(value, what);
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s, but is %s"
              .formatted(what, TimeText.of(min), TimeText.of(max), TimeText.of(value)));
    }
    return value;
  }
}
