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
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
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

  private static final String CLIENT = "lockClient";
  private static final String OPENING = "holdfastClientOpening";

  /** Made by Spring. */
  public HoldfastAutoConfiguration() {}

  /** Not if the application has a configuration of its own. */
  @Bean
  @ConditionalOnMissingBean(LockConfig.class)
  ApplicationConfig holdfastConfig(Environment environment, ListableBeanFactory beans) {
    return ApplicationConfig.of(environment, beans);
  }

  @Bean
  @ConditionalOnMissingBean
  LockConfig lockConfig(ApplicationConfig application) {
    return application.config();
  }

  /** Not if the application opens its scenarios itself. */
  @Bean
  @ConditionalOnMissingBean(Scenarios.class)
  ClientAudience holdfastClientAudience(
      ObjectProvider<LockListener> listeners, ObjectProvider<ClientObserver> observers) {
    return new ClientAudience(listeners, observers);
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Scenarios lockScenarios(LockConfig config, ClientAudience audience) {
    return Scenarios.open(config, usualTerms(config, ClientOptions.defaults()), audience);
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

  /**
   * Begins as soon as the beans of the application's connections can be made. What the application
   * opens itself, or a test has replaced, is not opened before somebody asks for the client.
   */
  @Bean(OPENING)
  @ConditionalOnMissingBean(LockClient.class)
  ClientOpening holdfastClientOpening(
      ObjectProvider<ApplicationConfig> application,
      ObjectProvider<ClientAudience> audience,
      Scenarios scenarios,
      ConfigurableListableBeanFactory beans) {
    ApplicationConfig ownConfig = application.getIfAvailable();
    ClientAudience ownScenarios = audience.getIfAvailable();
    return ownConfig == null || ownScenarios == null || beans.containsSingleton(CLIENT)
        ? new ClientOpening()
        : new ClientOpening(ownConfig, ownScenarios, scenarios);
  }

  /** Made when somebody needs it, or when all else has been made: until then, it is connected. */
  @Bean(name = CLIENT, destroyMethod = "")
  @Lazy
  @ConditionalOnMissingBean
  LockClient lockClient(Scenarios scenarios, ClientOpening opening) {
    opening.await();
    return scenarios.forScenario(ApplicationConfig.USUAL).client();
  }

  /** The start fails if there is no client; with lazy initialization, its first use does. */
  @Bean
  SmartInitializingSingleton holdfastClientCheck(ConfigurableListableBeanFactory beans) {
    return () -> {
      if (beans.containsSingleton(OPENING)) {
        beans.getBean(CLIENT);
      }
    };
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
