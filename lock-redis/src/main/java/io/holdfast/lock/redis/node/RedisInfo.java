/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the answer to INFO. */
final class RedisInfo {

  private RedisInfo() {}

  static Optional<String> field(String info, String name) {
    Matcher matcher = Pattern.compile("(?m)^" + name + ":(\\S+)").matcher(info);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
