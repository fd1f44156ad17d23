/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenario;

/** Is told of each lock client that the starter opens, before anybody has a lock of it. */
interface ClientObserver {

  /** A client has been opened, for a scenario that is the first of its backend. */
  void opened(Scenario scenario, LockClient client);
}
