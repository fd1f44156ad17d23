/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import java.time.Duration;

/**
 * Who wants which lock, and on which terms.
 *
 * @param lockName any Unicode text of 1 to 512 bytes of UTF-8, without unpaired surrogates; a
 *     backend maps different names to different places
 * @param ownerId unique for every claim ever made; printable ASCII without blanks, at most 128
 *     characters; stored at the backend, where people can read it
 * @param ttl how long the backend keeps a lock that nobody renews, where it has per-lock TTLs; a
 *     lock delay is part of it
 */
public record ClaimRequest(String lockName, String ownerId, Duration ttl) {}
