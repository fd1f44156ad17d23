/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.integration.HoldfastLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Spring Integration's lock registry over the usual client, with {@code lock-spring-integration}
 * and Spring Integration.
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({LockRegistry.class, HoldfastLockRegistry.class})
@ConditionalOnSingleCandidate(LockClient.class)
public class LockRegistryAutoConfiguration {

  /** Made by Spring. */
  public LockRegistryAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(LockRegistry.class)
  HoldfastLockRegistry lockRegistry(LockClient client) {
    return new HoldfastLockRegistry(client);
  }
}
