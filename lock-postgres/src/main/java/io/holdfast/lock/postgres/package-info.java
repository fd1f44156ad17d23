/**
 * Locks on PostgreSQL, in four forms: {@link io.holdfast.lock.postgres.AdvisoryLockProvider} (locks
 * of a session), {@link io.holdfast.lock.postgres.TableLockProvider} (rows with a time to live),
 * {@link io.holdfast.lock.postgres.RowLockProvider} (rows locked by transactions), and {@link
 * io.holdfast.lock.postgres.TransactionLocks} (in a transaction of the caller).
 *
 * <p>Users see this package only. {@code advisory}, {@code table} and {@code row} have one backend
 * each; they use {@code session} (a connection and its thread) and {@code admin} (what an operator
 * asks), which use {@code connect} (how a connection is made), and that {@code schema} (names and
 * statements). {@code row} also uses {@code transaction}. Every statement is a file in the folder
 * of its package.
 */
@NullMarked
package io.holdfast.lock.postgres;

import org.jspecify.annotations.NullMarked;
