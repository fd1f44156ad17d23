/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders

import io.holdfast.lock.DistributedLock
import io.holdfast.lock.Lease
import io.holdfast.lock.LockLostException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/** Runs work under the lock. A loss cancels the work, and is thrown as a [LockLostException]. */
suspend fun <T> DistributedLock.locked(work: suspend (Lease) -> T): T = coroutineScope {
  val lease = acquireCancellable()
  val guard = launch { throw LockLostException("Lost: ${lease.loss().await().reason()}") }
  try {
    work(lease)
  } finally {
    guard.cancel()
    withContext(NonCancellable) { lease.releaseAsync().await() }
  }
}

/** A cancellation that comes together with the grant gives the lock back. */
suspend fun DistributedLock.acquireCancellable(): Lease {
  val future = acquireAsync()
  try {
    return future.await()
  } catch (e: CancellationException) {
    future.thenAccept { it.releaseAsync() }
    throw e
  }
}
