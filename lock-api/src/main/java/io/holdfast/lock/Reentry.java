/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * Decides what happens when a thread waits for a lock of which it has acquired the lease itself. A
 * {@link DistributedLock} is not reentrant: unless another thread releases that lease, the wait
 * never ends. {@link DistributedLock#asJavaLock()} is reentrant.
 */
public enum Reentry {
  /** It waits; after a second, one warning in the log names both places in the code. */
  WAIT,
  /** The blocking forms throw {@link IllegalStateException} at once, which names both places. */
  REFUSE
}
