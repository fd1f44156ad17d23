/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** An application whose beans have {@link Locked} methods. */
final class LockedContext {

  private LockedContext() {}

  /** To be closed by the test. */
  static AnnotationConfigApplicationContext of(LockSource source, Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(LockedConfiguration.class);
    context.registerBean(LockSource.class, () -> source);
    context.register(beans);
    context.refresh();
    return context;
  }
}
