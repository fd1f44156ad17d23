/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * A thread that holds a read lease asked for the write side of the same lock. It would wait for
 * itself, and two such threads for each other. Release the read lease first, acquire the write
 * side, and read again; or acquire the write side from the start, and {@link Lease#downgrade()}.
 */
public final class LockUpgradeException extends LockException {

  private static final long serialVersionUID = 1L;

  /**
   * Without a cause, as nothing was sent.
   *
   * @param message what happened and what to do, without secrets
   */
  public LockUpgradeException(String message) {
    super(message, null);
  }
}
