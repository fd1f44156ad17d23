/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import java.time.Duration;

/**
 * Asks for more time for one lease.
 *
 * @param <C> the claims of the backend
 * @param claim a claim of the backend that is asked, which was granted
 * @param ttl the TTL to count from now, where the backend has per-lock TTLs
 * @param answerTimeout after which the engine asks again if there is no answer, whether this one
 *     comes later or not: a third of what is left of the validity. Until then a backend with
 *     several ways to its server has to take another; and it does not give up this request for it,
 *     as a late answer still counts
 */
public record RenewalRequest<C extends LockClaim>(C claim, Duration ttl, Duration answerTimeout) {}
