/**
 * Locks on PostgreSQL, in three forms: {@link io.holdfast.lock.postgres.AdvisoryLockProvider}
 * (locks of a session), {@link io.holdfast.lock.postgres.TableLockProvider} (rows with a time to
 * live). Their shared parts: a {@code Lane} is a connection and its thread, {@code Wakeups}
 * listens.
 */
@NullMarked
package io.holdfast.lock.postgres;

import org.jspecify.annotations.NullMarked;
