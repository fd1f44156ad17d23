/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import io.holdfast.lock.servers.Server;
import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Result;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Runs one rule, in the class loader of a mutant. Only types of the JDK and of the servers are
 * known there and here.
 */
public final class RuleInMutant implements BiFunction<String[], Optional<Server>, String[]> {

  /** For {@link MutantRunner}. */
  public RuleInMutant() {}

  /**
   * Runs a rule.
   *
   * @param asked the class of the fixture, and the id of the rule
   * @param shared for a fixture whose constructor takes it
   * @return verdict and detail
   */
  @Override
  public String[] apply(String[] asked, Optional<Server> shared) {
    Class<?> type = load(asked[0]);
    if (shared.isPresent()) {
      // Not closed: that would be the end of the server.
      return run(open(type, shared.get()), asked[1]);
    }
    try (Fixture opened = open(type)) {
      return run(opened, asked[1]);
    }
  }

  private static String[] run(Fixture fixture, String rule) {
    Result result = Conformance.runOnce(fixture, rule);
    return new String[] {result.verdict().name(), result.detail()};
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, true, RuleInMutant.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("There is no fixture " + name, e);
    }
  }

  private static Fixture open(Class<?> type, Server... given) {
    try {
      Class<?>[] types = Arrays.stream(given).map(Server::getClass).toArray(Class<?>[]::new);
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return (Fixture) constructor.newInstance((Object[]) given);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("The fixture " + type + " cannot be opened", e);
    }
  }
}
