/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Share;
import java.time.Duration;

/**
 * A request for a claim: the lock, the owner and the terms.
 *
 * @param lockName any Unicode text of 1 to 512 bytes of UTF-8, without unpaired surrogates; a
 *     backend maps different names to different places
 * @param ownerId unique for every claim ever made; printable ASCII without blanks, at most 128
 *     characters; stored at the backend, where people can read it
 * @param ttl how long the backend keeps a lock that nobody renews, where it has per-lock TTLs; a
 *     lock delay is part of it
 * @param share the permits that are asked for, of which capacity; {@link Share#LOCK} unless the
 *     backend has promised more ({@link Capabilities#sharing()})
 * @param waits whether the claim asks again after it was told to wait. If not, an attempt that is
 *     refused leaves neither a mark nor a place in a queue behind when it answers: until the
 *     release arrived, others would be refused what is free
 */
public record ClaimRequest(
    String lockName, String ownerId, Duration ttl, Share share, boolean waits) {

  /**
   * Of a claim that may wait.
   *
   * @param lockName as above
   * @param ownerId as above
   * @param ttl as above
   * @param share as above
   */
  public ClaimRequest(String lockName, String ownerId, Duration ttl, Share share) {
    this(lockName, ownerId, ttl, share, true);
  }

  /**
   * For a lock, 1 of 1, of a claim that may wait.
   *
   * @param lockName as above
   * @param ownerId as above
   * @param ttl as above
   */
  public ClaimRequest(String lockName, String ownerId, Duration ttl) {
    this(lockName, ownerId, ttl, Share.LOCK);
  }
}
