/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a bean that is an {@link io.holdfast.lock.worker.Work}, or on the method that makes it: what
 * it does is done by one process of all, which is the leader of an election. The starter stands for
 * election when the application has started, and resigns before it ends; {@link Leaders} says who
 * leads.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Leads {

  /**
   * The election's name, which is that of the lock.
   *
   * @return the name
   */
  String value();

  /**
   * The scenario whose backend and terms the lock has.
   *
   * @return its name; empty for the application's usual lock client
   */
  String scenario() default "";
}
