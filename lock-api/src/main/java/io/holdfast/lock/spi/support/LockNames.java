/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import io.holdfast.lock.text.VisibleText;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The rules for lock names: the same for every backend, checked before anything is sent. The engine
 * checks the names that it hands to backends; this is for locks that a backend offers by itself.
 */
public final class LockNames {

  static final int MOST_BYTES = 512;
  private static final int SHOWN = 40;

  private LockNames() {}

  /**
   * Checks a name.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @return the argument
   * @throws IllegalArgumentException if it is empty, too long, or has an unpaired surrogate
   */
  public static String check(String name) {
    Objects.requireNonNull(name, "name");
    return check("lock name", name);
  }

  /**
   * Checks what is not the name of a lock, but has to be as good as one.
   *
   * @param what it is, for messages
   * @param name any Unicode text of 1 to 512 bytes of UTF-8
   * @return the argument
   * @throws IllegalArgumentException if it is empty, too long, or has an unpaired surrogate
   */
  public static String check(String what, String name) {
    Objects.requireNonNull(name, what);
    if (name.isEmpty()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
    int bytes = name.length() > MOST_BYTES ? Integer.MAX_VALUE : utf8Length(what, name);
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "%s must be at most %d bytes of UTF-8, but '%s…' has %d characters"
              .formatted(
                  what, MOST_BYTES, VisibleText.of(name.substring(0, SHOWN)), name.length()));
    }
    return name;
  }

  private static int utf8Length(String what, String name) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name)).remaining();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          what + " must be Unicode text, but has an unpaired surrogate", e);
    }
  }
}
