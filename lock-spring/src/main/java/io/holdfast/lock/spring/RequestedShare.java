/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.Share;
import io.holdfast.lock.spring.Locked.Mode;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * The share of a name that a {@link Locked} method asks for.
 *
 * @param mode of a lock, or of a read-write lock
 * @param permits of a semaphore; empty if the name is none
 * @param of how many permits the semaphore has; that of the scenario if empty
 */
record RequestedShare(Mode mode, OptionalInt permits, OptionalInt of) {

  /**
   * A lock on which a method waits.
   *
   * @param lock to ask for
   * @param reads what need not be asked for by the thread that holds it
   */
  record Views(DistributedLock lock, Optional<DistributedLock> reads) {

    /** Of a lock that covers nothing but itself. */
    static Views of(DistributedLock lock) {
      return new Views(lock, Optional.empty());
    }
  }

  static RequestedShare read(Method method, Locked locked) {
    int permits = locked.permits();
    int of = locked.of();
    if (permits == 0 && of == 0) {
      return new RequestedShare(locked.mode(), OptionalInt.empty(), OptionalInt.empty());
    }
    String said = of == 0 ? "permits = " + permits : "permits = %d, of = %d".formatted(permits, of);
    if (locked.mode() != Mode.EXCLUSIVE) {
      throw LockedMethod.bad(
          method,
          "has mode = %s and %s, but a name is a read-write lock or a semaphore: keep one of them"
              .formatted(locked.mode(), said));
    }
    if (permits == 0) {
      throw LockedMethod.bad(
          method, "has of = %d without permits: add permits = 1, for example".formatted(of));
    }
    try {
      Share.of(permits, of == 0 ? Share.MOST_PERMITS : of);
    } catch (IllegalArgumentException e) {
      throw LockedMethod.bad(method, "has %s: %s".formatted(said, e.getMessage()));
    }
    return new RequestedShare(
        Mode.EXCLUSIVE,
        OptionalInt.of(permits),
        of == 0 ? OptionalInt.empty() : OptionalInt.of(of));
  }

  /** Whether the backend has to have more than locks. */
  boolean isShared() {
    return permits.isPresent() || mode != Mode.EXCLUSIVE;
  }

  /** A hint where a number of permits is missing or wrong, for messages. */
  String hint() {
    return permits.isPresent() && of.isEmpty() ? "; here the number is 'of'" : "";
  }

  /** The share that is asked for, on terms. */
  Views find(
      LockSource source, String scenario, String name, UnaryOperator<DistributedLock> onItsTerms) {
    if (permits.isPresent()) {
      return Views.of(
          onItsTerms.apply(source.semaphore(scenario, name, of).permits(permits.getAsInt())));
    }
    if (mode == Mode.EXCLUSIVE) {
      return Views.of(onItsTerms.apply(source.lock(scenario, name)));
    }
    DistributedReadWriteLock both = source.readWriteLock(scenario, name);
    return mode == Mode.READ
        ? Views.of(onItsTerms.apply(both.readLock()))
        : new Views(onItsTerms.apply(both.writeLock()), Optional.of(both.readLock()));
  }
}
