/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.Share;

/** A Redis server, on which rules take the write side of read-write locks. */
final class RedisWriteLockFixture extends RedisFixture {

  @Override
  public Share share() {
    return Share.WRITE;
  }
}
