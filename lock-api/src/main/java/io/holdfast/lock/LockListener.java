/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * Is told of every step of a client's locks. Each listener gets its events one after another, in
 * their order, on the client's callback executor; a slow listener delays nobody but itself, and
 * what it throws is logged. Events that it does not take in time (10,000 waiting) are dropped, and
 * the number is logged.
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
