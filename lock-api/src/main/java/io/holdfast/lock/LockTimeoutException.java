/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The lock was not granted within the time limit, or the number of attempts, of the caller: usually
 * somebody else holds it, or the server had not answered yet. Nothing of the acquisition is left
 * behind.
 */
public final class LockTimeoutException extends LockException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened and what to do, without secrets
   * @param cause the backend's own exception, if there is one
   */
  public LockTimeoutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Without a cause.
   *
   * @param message what happened and what to do, without secrets
   */
  public LockTimeoutException(String message) {
    this(message, null);
  }
}
