/**
 * How a connection is made and checked, which settings its session has, and what its failures mean
 * to a caller.
 */
@NullMarked
package io.holdfast.lock.postgres.connect;

import org.jspecify.annotations.NullMarked;
