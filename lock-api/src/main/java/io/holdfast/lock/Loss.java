/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;

/**
 * The loss of a lease: reported once, no later than the end of its validity plus one scheduling
 * delay.
 *
 * @param lockName the lock
 * @param ownerId the lost lease's owner id
 * @param reason why
 */
public record Loss(String lockName, String ownerId, LossReason reason) {

  /** One line, with control characters escaped. */
  @Override
  public String toString() {
    return VisibleText.of(
        "Loss[lockName=%s, ownerId=%s, reason=%s]".formatted(lockName, ownerId, reason));
  }
}
