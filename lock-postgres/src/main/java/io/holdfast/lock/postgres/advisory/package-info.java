/**
 * Locks of a session ({@code postgres-advisory}): the claims, what is asked for them, and what is
 * remembered of the session that holds them.
 */
@NullMarked
package io.holdfast.lock.postgres.advisory;

import org.jspecify.annotations.NullMarked;
