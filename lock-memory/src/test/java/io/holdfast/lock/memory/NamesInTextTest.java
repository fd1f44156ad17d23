/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.Share;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A name that would write lines of its own into a log, or turn its text round, cannot. */
class NamesInTextTest {

  private static final String NAME = "a\u001b[2J\nb\u202ec";
  private static final String SHOWN = "a\\u001b[2J\\u000ab\\u202ec";

  static Stream<Class<?>> records() {
    return Stream.concat(
        Arrays.stream(LockEvent.class.getPermittedSubclasses()),
        Stream.of(Loss.class, LockHolder.class, LockStatus.class));
  }

  @ParameterizedTest
  @MethodSource("records")
  void aRecordShowsAllOfItInOneLineAndGivesTheNameItself(Class<?> type) throws Exception {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = Arrays.stream(components).map(NamesInTextTest::value).toArray();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object made = type.getConstructor(types).newInstance(values);
    StringBuilder expected = new StringBuilder(type.getSimpleName() + "[");
    for (int i = 0; i < values.length; i++) {
      expected.append(i == 0 ? "" : ", ").append(components[i].getName());
      expected.append("=").append(values[i]);
      assertEquals(values[i], components[i].getAccessor().invoke(made));
    }
    assertEquals(expected.append("]").toString().replace(NAME, SHOWN), made.toString());
  }

  private static Object value(RecordComponent component) {
    Class<?> type = component.getType();
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == Optional.class) {
      return component.getGenericType().getTypeName().contains("String")
          ? Optional.of(NAME)
          : Optional.empty();
    }
    if (type == LockException.class) {
      return new LockUnavailableException(NAME);
    }
    return Stream.of(NAME, Share.LOCK, Duration.ZERO, OptionalLong.of(1))
        .filter(type::isInstance)
        .map(Object.class::cast)
        .findFirst()
        .orElseGet(() -> type == long.class ? (Object) 1L : type == int.class ? 1 : true);
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Looks at it while it is locked.
  void aViewOfALock() throws Exception {
    try (MemoryHarness scene = new MemoryHarness()) {
      JavaLock view = scene.client().lock(NAME, MemoryHarness.TEN_SECONDS).asJavaLock();
      assertEquals(
          "JavaLock['" + SHOWN + "', not held by any thread of this client]", view.toString());
      Thread holder = new Thread(view::lock, NAME);
      holder.start();
      holder.join();
      assertEquals("JavaLock['" + SHOWN + "', held by thread " + SHOWN + "]", view.toString());
      assertEquals(NAME, view.name());
    }
  }

  @Test
  void aHolderWithoutAnOwner() {
    String told =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                        new LockHolder(
                            NAME,
                            Optional.empty(),
                            OptionalLong.empty(),
                            Optional.empty(),
                            Optional.empty()))
                .getMessage());
    assertTrue(told.contains(SHOWN), told);
    assertFalse(told.contains(NAME), told);
  }
}
