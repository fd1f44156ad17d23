/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * A guard at a resource has refused a fencing token: a greater one was used there before, so the
 * sender of this one has lost its lock, whether it knows or not. Nothing was written. The work must
 * stop; trying again with the same token will not help.
 */
public final class StaleTokenException extends LockException {

  private static final long serialVersionUID = 1L;

  /**
   * Made by guards, also by a user's own.
   *
   * @param resource where the token was refused
   * @param token which
   * @param because such as {@code 17 has been there}
   */
  public StaleTokenException(String resource, long token, String because) {
    super(
        "Token %d is stale at '%s': %s. Another holder has the lock; stop the work"
            .formatted(token, resource, because),
        null);
  }
}
