/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import java.util.List;

/** Contenders with one client, in a process of their own or in this one. */
interface Party extends AutoCloseable {

  /** What faults can be done to, each by itself. */
  List<Target> targets();

  /** Returns when they contend. */
  void awaitReady();

  /**
   * Has them end in good order.
   *
   * @return what went wrong with them, in words
   */
  List<String> finish();

  /** Ends them in any order. Idempotent. */
  @Override
  void close();
}
