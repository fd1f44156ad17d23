/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The backend answered and refused: wrong credentials, missing privileges, a kind or version of
 * server that cannot keep the promises, a foreign value where the lock should be. Trying again will
 * not help; somebody has to change something, and the message says what.
 */
public sealed class LockRejectedException extends LockException permits LockCapacityException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened and what to do, without secrets
   * @param cause the backend's own exception, if there is one
   */
  public LockRejectedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Without a cause.
   *
   * @param message what happened and what to do, without secrets
   */
  public LockRejectedException(String message) {
    this(message, null);
  }
}
