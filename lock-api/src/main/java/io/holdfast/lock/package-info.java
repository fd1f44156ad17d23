/**
 * The API that users call. {@link io.holdfast.lock.Locks} opens a {@link
 * io.holdfast.lock.LockClient}; a client gives {@link io.holdfast.lock.DistributedLock}s; a lock
 * gives {@link io.holdfast.lock.Lease}s.
 *
 * <p>Everything here may be used from any number of threads, virtual ones included. No method holds
 * a monitor while it waits.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
