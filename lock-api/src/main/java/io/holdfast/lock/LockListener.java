/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * Gets every event of a client's locks. Each listener gets its events one after another, in order,
 * on the client's callback executor; a slow listener delays only itself, and what it throws is
 * logged. If 10,000 events wait for it, further events are dropped, and their number is logged.
 */
@FunctionalInterface
public interface LockListener {

  /**
   * Takes one event.
   *
   * @param event what happened
   */
  void on(LockEvent event);
}
