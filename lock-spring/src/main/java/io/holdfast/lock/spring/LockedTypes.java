/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.ClassFilter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Tells whether a type has a {@link Locked} method, or a supertype has one. Spring asks that of
 * each bean. Looks only at the methods that a type declares, and at each type once: many beans have
 * the same supertypes, and to look for the annotation of each method in all of them takes longer.
 */
final class LockedTypes implements ClassFilter {

  private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

  @Override
  public boolean matches(Class<?> type) {
    Boolean locked = known.get(type);
    if (locked == null) {
      locked = find(type);
      known.put(type, locked);
    }
    return locked;
  }

  private boolean find(Class<?> type) {
    if (!AnnotationUtils.isCandidateClass(type, Locked.class)) {
      return false;
    }
    for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
      if (MergedAnnotations.from(method).isPresent(Locked.class)) {
        return true;
      }
    }
    Class<?> parent = type.getSuperclass();
    if (parent != null && matches(parent)) {
      return true;
    }
    for (Class<?> above : type.getInterfaces()) {
      if (matches(above)) {
        return true;
      }
    }
    return false;
  }
}
