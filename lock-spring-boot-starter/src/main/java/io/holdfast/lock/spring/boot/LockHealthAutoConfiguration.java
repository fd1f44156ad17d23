/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The health of the lock servers, as {@code locks}, for Spring Boot 3.5; {@code lock-spring-boot4}
 * has that for Boot 4, which moved these types.
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockClient.class)
@ConditionalOnEnabledHealthIndicator("locks")
public class LockHealthAutoConfiguration {

  /** Made by Spring. */
  public LockHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "locksHealthIndicator")
  HealthIndicator locksHealthIndicator(ObjectProvider<Map<String, LockClient>> clients) {
    return new LockHealthIndicator(clients::getObject);
  }
}
