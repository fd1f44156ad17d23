/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * The backend could not be reached, did not answer in time, or cannot serve now. Trying again may
 * help. If the request may have been carried out all the same, the engine gives back what it took
 * as soon as the backend can be reached.
 */
public final class LockUnavailableException extends LockException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened and what to do, without secrets
   * @param cause the backend's own exception, if there is one
   */
  public LockUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Without a cause.
   *
   * @param message what happened and what to do, without secrets
   */
  public LockUnavailableException(String message) {
    this(message, null);
  }
}
