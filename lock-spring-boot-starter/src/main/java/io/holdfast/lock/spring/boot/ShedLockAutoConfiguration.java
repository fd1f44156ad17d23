/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.shedlock.HoldfastLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** ShedLock's lock provider over the usual client, with {@code lock-shedlock} and ShedLock. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({LockProvider.class, HoldfastLockProvider.class})
@ConditionalOnSingleCandidate(LockClient.class)
public class ShedLockAutoConfiguration {

  /** Made by Spring. */
  public ShedLockAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(LockProvider.class)
  HoldfastLockProvider shedLockProvider(LockClient client) {
    return new HoldfastLockProvider(client);
  }
}
