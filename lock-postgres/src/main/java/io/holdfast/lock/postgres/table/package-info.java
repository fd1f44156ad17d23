/** Rows with a time to live ({@code postgres-table}): the claims, and what is asked for them. */
@NullMarked
package io.holdfast.lock.postgres.table;

import org.jspecify.annotations.NullMarked;
