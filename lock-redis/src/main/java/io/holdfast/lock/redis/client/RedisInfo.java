/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import java.util.Optional;

/** Reads the answer to INFO. */
public final class RedisInfo {

  private RedisInfo() {}

  /**
   * The value in the line {@code name:value}.
   *
   * @param info the answer
   * @param name of the field
   * @return empty if there is no such line, or no value in it
   */
  public static Optional<String> field(String info, String name) {
    String begin = name + ':';
    int line = info.startsWith(begin) ? 0 : info.indexOf('\n' + begin) + 1;
    if (line == 0 && !info.startsWith(begin)) {
      return Optional.empty();
    }
    int end = info.indexOf('\n', line);
    String value = info.substring(line + begin.length(), end < 0 ? info.length() : end).strip();
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }
}
