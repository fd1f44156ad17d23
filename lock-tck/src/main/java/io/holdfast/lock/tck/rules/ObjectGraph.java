/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The objects of Holdfast's classes that lead from one to the next by fields and collections. */
final class ObjectGraph {

  private static final String OURS = "io.holdfast.lock.";

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> ours = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  private ObjectGraph() {}

  static Set<Object> from(Object start) {
    ObjectGraph all = new ObjectGraph();
    all.found(start);
    while (!all.open.isEmpty()) {
      all.follow(all.open.remove());
    }
    return all.ours;
  }

  private void found(@Nullable Object object) {
    if (object != null && seen.add(object)) {
      open.add(object);
    }
  }

  private void follow(Object object) {
    if (object instanceof Collection<?> collection) {
      collection.forEach(this::found);
    } else if (object instanceof Map<?, ?> map) {
      map.keySet().forEach(this::found);
      map.values().forEach(this::found);
    } else if (object instanceof Optional<?> optional) {
      found(optional.orElse(null));
    } else if (object instanceof AtomicReference<?> reference) {
      found(reference.get());
    } else if (object instanceof Object[] array) {
      for (Object each : array) {
        found(each);
      }
    } else if (object.getClass().getName().startsWith(OURS)) {
      ours.add(object);
      fieldsOf(object);
    }
  }

  private void fieldsOf(Object object) {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getName().startsWith(OURS)) {
        for (Field field : type.getDeclaredFields()) {
          if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
            found(valueOf(field, object));
          }
        }
      }
    }
  }

  private static @Nullable Object valueOf(Field field, Object object) {
    try {
      return field.trySetAccessible() ? field.get(object) : null;
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
