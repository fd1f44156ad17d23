/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/** A call that asks for something: in the history, an attempt for each name, with its number. */
final class Attempts {

  private final LockRequest wanted;

  /** In the order in which a lease of several locks has its owner ids. */
  private final SortedMap<String, Long> numbers = new TreeMap<>();

  Attempts(LockRequest wanted, LongSupplier next) {
    this.wanted = wanted;
    wanted.names().forEach(name -> numbers.put(name, next.getAsLong()));
  }

  LockRequest wanted() {
    return wanted;
  }

  long of(String name) {
    return Objects.requireNonNull(numbers.get(name));
  }

  void each(ObjLongConsumer<String> step) {
    numbers.forEach(step::accept);
  }
}
