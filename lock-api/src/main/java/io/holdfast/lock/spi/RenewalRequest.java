/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import java.time.Duration;

/**
 * Asks for more time for one lease.
 *
 * @param claim a claim of the backend that is asked, which was granted
 * @param ttl the TTL to count from now, where the backend has per-lock TTLs
 */
public record RenewalRequest(LockClaim claim, Duration ttl) {}
