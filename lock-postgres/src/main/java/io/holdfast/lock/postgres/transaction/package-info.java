/**
 * A transaction that holds a row: beginning and ending it on a connection of a pool, and that
 * connection as the holder of the lease sees it.
 */
@NullMarked
package io.holdfast.lock.postgres.transaction;

import org.jspecify.annotations.NullMarked;
