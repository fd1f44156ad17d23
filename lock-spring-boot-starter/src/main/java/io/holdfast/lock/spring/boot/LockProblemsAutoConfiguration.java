/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.spring.LockProblems;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;

/** Answers of 409 and 503, with {@code holdfast.web.problem-details=true}. */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnProperty(name = "holdfast.web.problem-details", havingValue = "true")
public class LockProblemsAutoConfiguration {

  /** Made by Spring. */
  public LockProblemsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  LockProblems lockProblems() {
    return new LockProblems();
  }
}
