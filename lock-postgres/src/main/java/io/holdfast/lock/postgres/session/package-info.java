/**
 * A connection with the one thread that uses it, the sessions that it has had one after another,
 * and the connection that listens for wake-ups.
 */
@NullMarked
package io.holdfast.lock.postgres.session;

import org.jspecify.annotations.NullMarked;
