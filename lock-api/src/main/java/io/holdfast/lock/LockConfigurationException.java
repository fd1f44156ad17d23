/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * A setting is missing, unknown, malformed or contradictory, or no provider fits. The message names
 * the key, the value (unless it is a secret) and what is accepted.
 */
public final class LockConfigurationException extends LockException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened and what to do, without secrets
   * @param cause the backend's own exception, if there is one
   */
  public LockConfigurationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Without a cause.
   *
   * @param message what happened and what to do, without secrets
   */
  public LockConfigurationException(String message) {
    this(message, null);
  }
}
