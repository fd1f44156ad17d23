/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A locked method is found wherever Spring finds its annotation, and nowhere else. */
class LockedTypesTest {

  /** An annotation of the application. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @Locked(name = "n")
  @interface Exclusive {}

  static class Own {
    @Locked(name = "n")
    public void work() {}
  }

  static class Composed {
    @Exclusive
    public void work() {}
  }

  static class Hidden {
    @Locked(name = "n")
    @SuppressWarnings("UnusedMethod")
    private void work() {}
  }

  interface Above<T> {
    @Locked(name = "n")
    void work(T what);
  }

  interface Between<T> extends Above<T> {}

  static class Implementing implements Between<String> {
    @Override
    public void work(String what) {}
  }

  static class Inheriting extends Implementing {}

  interface WithDefault {
    @Locked(name = "n")
    default void work() {}
  }

  static class Defaulting implements WithDefault {}

  static class Overriding extends Own {
    @Override
    public void work() {}
  }

  static class None extends ArrayList<String> implements Runnable {
    private static final long serialVersionUID = 1L;

    @Override
    public void run() {}

    @Deprecated
    public void work() {}
  }

  @Test
  void looksAtAllThatATypeHasInherited() {
    LockedTypes types = new LockedTypes();
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Between.class},
            (self, method, arguments) -> null);
    for (Class<?> type :
        List.of(
            Inheriting.class,
            Own.class,
            Composed.class,
            Hidden.class,
            Implementing.class,
            Between.class,
            Defaulting.class,
            Overriding.class,
            proxy.getClass(),
            Own.class)) {
      assertTrue(types.matches(type), type::getName);
    }
    for (Class<?> type :
        List.of(None.class, Object.class, Runnable.class, LockedTypesTest.class, None.class)) {
      assertFalse(types.matches(type), type::getName);
    }
  }
}
