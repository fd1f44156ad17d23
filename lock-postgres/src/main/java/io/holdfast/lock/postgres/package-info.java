/**
 * Locks on PostgreSQL, in four forms: {@link io.holdfast.lock.postgres.AdvisoryLockProvider} (locks
 * of a session), {@link io.holdfast.lock.postgres.TableLockProvider} (rows with a time to live),
 * {@link io.holdfast.lock.postgres.RowLockProvider} (rows locked by transactions), and {@link
 * io.holdfast.lock.postgres.TransactionLocks} (in a transaction of the caller).
 *
 * <p>A {@code ConnectionWorker} is a connection and the one thread that uses it; {@code
 * NotificationListener} listens; every statement is a file beside these classes.
 */
@NullMarked
package io.holdfast.lock.postgres;

import org.jspecify.annotations.NullMarked;
