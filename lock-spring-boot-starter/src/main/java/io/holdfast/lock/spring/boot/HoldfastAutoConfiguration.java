/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Scenario;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.spring.LockSource;
import io.holdfast.lock.spring.LockedConfiguration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * A {@link LockClient} and {@link Scenarios} from the properties below {@code holdfast}, or over
 * the connections that the application has; and methods that are {@code @Locked}.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
    })
@ConditionalOnProperty(name = "holdfast.enabled", matchIfMissing = true)
@Import(LockedConfiguration.class)
@ImportRuntimeHints(HoldfastRuntimeHints.class)
public class HoldfastAutoConfiguration {

  /** Made by Spring. */
  public HoldfastAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  LockConfig lockConfig(Environment environment, ListableBeanFactory beans) {
    return ApplicationConfig.of(environment, beans);
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Scenarios lockScenarios(
      LockConfig config,
      ObjectProvider<LockListener> listeners,
      ObjectProvider<ClientObserver> observers) {
    ClientOptions options = ClientOptions.defaults();
    return Scenarios.open(
        config,
        usualTerms(config, options),
        (scenario, client) -> {
          listeners.orderedStream().forEach(client::addListener);
          observers.orderedStream().forEach(observer -> observer.opened(scenario, client));
        });
  }

  /** If it is not clear which backend is the usual one, who wants the client is told. */
  private static ClientOptions usualTerms(LockConfig config, ClientOptions options) {
    try {
      Scenario usual = config.scenario(ApplicationConfig.USUAL);
      ClientOptions terms = options.withLockOptions(usual.options());
      return usual.permits().isPresent() ? terms.withPermits(usual.permits().getAsInt()) : terms;
    } catch (LockConfigurationException e) {
      return options;
    }
  }

  @Bean(destroyMethod = "")
  @ConditionalOnMissingBean
  LockClient lockClient(Scenarios scenarios) {
    return scenarios.forScenario(ApplicationConfig.USUAL).client();
  }

  @Bean
  @ConditionalOnMissingBean
  LockSource lockSource(ObjectProvider<LockClient> client, ObjectProvider<Scenarios> scenarios) {
    return new ScenarioLockSource(client, scenarios);
  }

  @Bean
  LockLifecycle holdfastLockLifecycle(
      ApplicationContext context, ConfigurableListableBeanFactory beans) {
    return new LockLifecycle(context, beans);
  }
}
