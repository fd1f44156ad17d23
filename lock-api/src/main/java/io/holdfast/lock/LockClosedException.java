/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/** The client was closed before or during the call. Open another one. */
public final class LockClosedException extends LockException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened and what to do, without secrets
   * @param cause the backend's own exception, if there is one
   */
  public LockClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Without a cause.
   *
   * @param message what happened and what to do, without secrets
   */
  public LockClosedException(String message) {
    this(message, null);
  }
}
