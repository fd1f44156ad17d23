/**
 * Rows locked by transactions ({@code postgres-row}): the claims, the threads that work for them,
 * and what is asked about their transactions over another connection.
 */
@NullMarked
package io.holdfast.lock.postgres.row;

import org.jspecify.annotations.NullMarked;
