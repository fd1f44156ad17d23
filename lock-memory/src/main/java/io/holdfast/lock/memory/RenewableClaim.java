/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.spi.LockClaim;
import java.time.Duration;

/** A claim at a {@link MemoryServer}. */
interface RenewableClaim extends LockClaim {

  /**
   * At the server: whether what was granted is still this claim's, and is prolonged. After a
   * release it is not, though the name may stay taken by this owner.
   */
  boolean renew(Duration ttl);
}
