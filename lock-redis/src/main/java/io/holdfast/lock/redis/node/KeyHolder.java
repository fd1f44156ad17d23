/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.Optional;

/**
 * The owner of a lock, or of a share of a name, at one server.
 *
 * @param owner the owner id
 * @param expiresIn what is left of its TTL; empty if it has none
 * @param share what it has
 */
public record KeyHolder(String owner, Optional<Duration> expiresIn, Share share) {

  /**
   * The owner of a lock: all of it.
   *
   * @param owner as above
   * @param expiresIn as above
   */
  public KeyHolder(String owner, Optional<Duration> expiresIn) {
    this(owner, expiresIn, Share.LOCK);
  }
}
