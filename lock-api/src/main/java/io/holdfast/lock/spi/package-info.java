/**
 * The interfaces that a backend implements: verbs, and nothing about waiting, renewing, threads or
 * metrics, which the engine does once for all backends.
 *
 * <p>A {@link io.holdfast.lock.spi.LockProvider} is found by its name and opens a {@link
 * io.holdfast.lock.spi.LockBackend}; a backend makes one {@link io.holdfast.lock.spi.LockClaim} for
 * each contender.
 */
@NullMarked
package io.holdfast.lock.spi;

import org.jspecify.annotations.NullMarked;
