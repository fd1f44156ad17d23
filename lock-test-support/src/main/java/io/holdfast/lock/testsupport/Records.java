/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.testsupport;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes records that differ from others in some components. */
public final class Records {

  private Records() {}

  /**
   * A copy with other values.
   *
   * @param record of a public class
   * @param others each for the one component that has its type
   * @param <R> the record's class
   * @return the copy
   */
  public static <R extends Record> R with(R record, Object... others) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new);
    List<Object> left = new ArrayList<>(List.of(others));
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < values.length; i++) {
        Object old = components[i].getAccessor().invoke(record);
        values[i] = taken(types[i], left).orElse(old);
      }
      if (!left.isEmpty()) {
        throw new IllegalArgumentException("No component of " + record + " is for " + left);
      }
      @SuppressWarnings("unchecked")
      R copy = (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
      return copy;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("Cannot copy " + record, e);
    }
  }

  private static Optional<Object> taken(Class<?> type, List<Object> from) {
    Optional<Object> found = from.stream().filter(type::isInstance).findFirst();
    found.ifPresent(from::remove);
    return found;
  }
}
