/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.HistoryWriter;

/** Writes down what a process does, under its name. */
record ProcessLog(String process, HistoryWriter history) {

  void write(Event event) {
    history.append(event);
  }
}
