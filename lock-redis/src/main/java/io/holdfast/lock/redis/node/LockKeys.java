/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

/**
 * The keys under which a server keeps the data of a name.
 *
 * @param lock who has it: a string if the name is a lock, a hash if several share it. Rule SH-12
 *     depends on it that both have one key. Also the channel on which a release is told
 * @param counter what its numbers are drawn from
 * @param waitingPrefix what the key of those who wait begins with, so that a release can name one
 *     of them; empty if a release is told to all alike
 * @param slot of these keys in a cluster; 0 at a single server
 */
public record LockKeys(String lock, TokenCounter counter, String waitingPrefix, int slot) {

  /** Of a name whose waiters are told alike, at a single server. */
  static LockKeys tellingAll(String lock, TokenCounter counter) {
    return new LockKeys(lock, counter, "", 0);
  }

  /** The key of those who wait; empty if there is none. Not kept, as few need it. */
  String waiting() {
    return waitingPrefix.isEmpty() ? "" : waitingPrefix + lock;
  }
}
