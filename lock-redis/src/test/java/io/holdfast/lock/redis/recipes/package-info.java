/**
 * How locks on Redis used to be written, as their authors wrote them, faults included. Each is
 * caught by the conformance kit. Not to be used.
 */
@NullMarked
package io.holdfast.lock.redis.recipes;

import org.jspecify.annotations.NullMarked;
