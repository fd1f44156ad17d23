/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;

/** The text of events, as records have it, but fit for a log: a lock can have any name. */
final class EventText {

  private EventText() {}

  /** Of an event with these components besides those of all: names and values in turn. */
  static String of(LockEvent event, Object... more) {
    StringBuilder text = new StringBuilder(event.getClass().getSimpleName());
    text.append("[lockName=").append(event.lockName());
    text.append(", ownerId=").append(event.ownerId());
    text.append(", share=").append(event.share());
    for (int i = 0; i < more.length; i += 2) {
      text.append(", ").append(more[i]).append('=').append(more[i + 1]);
    }
    return VisibleText.of(text.append(']').toString());
  }
}
