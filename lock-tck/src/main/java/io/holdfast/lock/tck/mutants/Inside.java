/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.mutants;

import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Result;
import java.lang.reflect.Constructor;
import java.util.function.BiFunction;

/**
 * Runs one rule, in the class loader of a mutant. Only types of the JDK are known there and here.
 */
public final class Inside implements BiFunction<String, String, String[]> {

  /** For {@link Workshop}. */
  public Inside() {}

  /**
   * Runs a rule.
   *
   * @param fixture the class of the fixture, which has a constructor without parameters
   * @param rule its id
   * @return verdict and detail
   */
  @Override
  public String[] apply(String fixture, String rule) {
    try (Fixture opened = open(fixture)) {
      Result result = Conformance.runOnce(opened, rule);
      return new String[] {result.verdict().name(), result.detail()};
    }
  }

  private static Fixture open(String name) {
    try {
      Constructor<?> constructor =
          Class.forName(name, true, Inside.class.getClassLoader()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (Fixture) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("The fixture " + name + " cannot be opened", e);
    }
  }
}
