/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the method that checks a rule of {@code SPEC.md}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {

  /** {@link #lookAt} of a rule that fails only where the engine does. */
  String ENGINE = "the engine (lock-api): a backend has no code for this";

  /**
   * The rule's id.
   *
   * @return such as {@code EX-1}
   */
  String value();

  /**
   * Whether the rule disturbs the server or needs quiet, so that no other rule may run beside it.
   *
   * @return true if it runs alone
   */
  boolean alone() default false;

  /**
   * The place to look at in the backend if the rule fails. Ends the message of each failure.
   *
   * @return a part of the SPI, or of what the server does, without a full stop
   */
  String lookAt();
}
