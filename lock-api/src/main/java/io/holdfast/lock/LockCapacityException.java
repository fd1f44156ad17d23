/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;

/**
 * The name is in use with another capacity: as a lock, a read-write lock, or a semaphore of another
 * number of permits. Nothing was taken. Either two programs mean different things by one name, or a
 * semaphore was given a new size while others still use the old one.
 */
public final class LockCapacityException extends LockRejectedException {

  private static final long serialVersionUID = 1L;

  /** The capacity that was asked for. */
  private final int askedFor;

  /** The capacity with which the name is in use. */
  private final int inUse;

  /**
   * Names both capacities.
   *
   * @param lockName the name
   * @param askedFor the capacity of the share that was asked for
   * @param inUse the capacity with which the name is in use
   */
  public LockCapacityException(String lockName, int askedFor, int inUse) {
    super(
        ("'%s' was asked for as %s, but is in use as %s. Give every user of the name the same"
                + " capacity, or choose another name")
            .formatted(VisibleText.of(lockName), Share.describe(askedFor), Share.describe(inUse)));
    this.askedFor = askedFor;
    this.inUse = inUse;
  }

  /**
   * The capacity that was asked for.
   *
   * @return as in {@link Share#capacity()}
   */
  public int askedFor() {
    return askedFor;
  }

  /**
   * The capacity with which the name is in use.
   *
   * @return as in {@link Share#capacity()}
   */
  public int inUse() {
    return inUse;
  }
}
