/**
 * Limits how often something is done, counted at a server for all processes. {@link
 * io.holdfast.lock.limit.RateLimiters} opens a {@link io.holdfast.lock.limit.RateLimiter}.
 */
@NullMarked
package io.holdfast.lock.limit;

import org.jspecify.annotations.NullMarked;
