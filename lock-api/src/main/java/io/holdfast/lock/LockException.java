/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;
import org.jspecify.annotations.Nullable;

/**
 * Every failure of a lock, by what the caller can do next. A lock that somebody else holds is not a
 * failure: {@code tryAcquire} returns an empty {@link java.util.Optional}. Bad arguments are {@link
 * IllegalArgumentException} or {@link NullPointerException}, as everywhere in Java. A backend's own
 * exception is only ever a cause. Messages name the lock, with control characters escaped, and
 * contain no secrets.
 */
public abstract sealed class LockException extends RuntimeException
    permits LockUnavailableException,
        LockRejectedException,
        LockLostException,
        LockTimeoutException,
        LockConfigurationException,
        LockUpgradeException,
        LockClosedException,
        StaleTokenException {

  private static final long serialVersionUID = 1L;

  LockException(String message, @Nullable Throwable cause) {
    super(VisibleText.of(message), cause);
  }
}
