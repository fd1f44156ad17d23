/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;

/** The reference backend at a distance: something is under way now and then. */
final class SlowMemoryFixture extends MemoryFixture {

  SlowMemoryFixture() {
    server.delayAnswers(Duration.ofMillis(1));
  }
}
