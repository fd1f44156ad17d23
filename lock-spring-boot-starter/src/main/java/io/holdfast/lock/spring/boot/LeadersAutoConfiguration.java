/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenarios;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/** Leaders and workers that start and stop with the application. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnProperty(name = "holdfast.enabled", matchIfMissing = true)
public class LeadersAutoConfiguration {

  /** Made by Spring. */
  public LeadersAutoConfiguration() {}

  /** Each context has its own, as it leads what it has. */
  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  Leaders leaders(
      ListableBeanFactory beans,
      ObjectProvider<LockClient> client,
      ObjectProvider<Scenarios> scenarios) {
    return new Leaders(beans, client, scenarios);
  }

  @Bean
  SmartInitializingSingleton holdfastLeaders(Leaders leaders) {
    return leaders::find;
  }
}
