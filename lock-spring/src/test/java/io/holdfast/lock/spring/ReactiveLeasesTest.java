/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.memory.MemoryServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

/** A subscriber within another's work holds the leases of both. */
class ReactiveLeasesTest {

  private final MemoryServer server = new MemoryServer();
  private final LockClient outer = server.open();
  private final LockClient inner = server.open();

  @AfterEach
  void close() {
    outer.close();
    inner.close();
  }

  private Context both() throws InterruptedException {
    Context context = ReactiveLeases.add(Context.empty(), outer.lock("order").acquire());
    return ReactiveLeases.add(context, inner.lock("item").acquire());
  }

  @Test
  void theLossOfTheOuterOneIsFound() throws InterruptedException {
    Context context = both();
    assertDoesNotThrow(() -> ReactiveLeases.ensureValid(context));
    outer.close();
    assertThrows(LockLostException.class, () -> ReactiveLeases.ensureValid(context));
  }

  @Test
  void soIsThatOfTheInnerOne() throws InterruptedException {
    Context context = both();
    inner.close();
    assertThrows(LockLostException.class, () -> ReactiveLeases.ensureValid(context));
  }

  @Test
  void withoutALeaseNothingIsRefused() {
    assertDoesNotThrow(() -> ReactiveLeases.ensureValid(Context.empty()));
  }
}
