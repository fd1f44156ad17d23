/**
 * Answers an operator over the connection of a client: who holds a lock, taking it away, and how
 * the server is set up.
 */
@NullMarked
package io.holdfast.lock.postgres.admin;

import org.jspecify.annotations.NullMarked;
