/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Makes {@link Locked} methods hold their locks, and {@link LockTemplate} a bean. With Spring Boot
 * the starter brings it; elsewhere it is to be imported, next to a bean of type {@link LockSource}.
 *
 * <p>The property {@code holdfast.locked.order} is the place of the lock among the advisors of a
 * method: smaller is further outside. The default is inside of security and outside of
 * transactions, caches and retries that have the order of Spring.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(LockedConfiguration.Proxies.class)
public class LockedConfiguration {

  /** The place of the lock among the advisors of a method, if nothing else is set. */
  public static final int DEFAULT_ORDER = Integer.MAX_VALUE - 1000;

  /** Made by Spring. */
  public LockedConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static HeldLeases holdfastHeldLeases() {
    return new HeldLeases();
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockTemplate lockTemplate(HeldLeases leases, ObjectProvider<LockObserver> observer) {
    return new LockTemplate(leases, () -> observer.getIfAvailable(() -> NoObserver.INSTANCE));
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockedMethods holdfastLockedMethods(BeanFactory beans) {
    return new LockedMethods(beans);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockedAdvisor holdfastLockedAdvisor(
      LockedMethods methods,
      LockTemplate template,
      ObjectProvider<LockSource> source,
      Environment environment) {
    return new LockedAdvisor(
        methods,
        new LockedInterceptor(methods, template, source::getObject),
        environment.getProperty("holdfast.locked.order", Integer.class, DEFAULT_ORDER));
  }

  /** When all that it could need has been made. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static SmartInitializingSingleton holdfastLockedCheck(
      LockedMethods methods, ObjectProvider<LockSource> source) {
    return () -> {
      if (!methods.isEmpty()) {
        methods.check(source.getObject());
      }
    };
  }

  /** Only with {@code spring-tx}. */
  @Configuration(proxyBeanMethods = false)
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @Conditional(WithTransactions.class)
  static class Commits {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuard holdfastCommitGuard(HeldLeases leases) {
      return new CommitGuard(leases);
    }
  }

  /** Only with {@code spring-tx} and Reactor. */
  @Configuration(proxyBeanMethods = false)
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @Conditional(WithReactiveTransactions.class)
  static class ReactiveCommits {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveCommitGuard holdfastReactiveCommitGuard() {
      return new ReactiveCommitGuard();
    }
  }

  static class WithReactiveTransactions extends WithTransactions {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return LockedInterceptor.REACTOR && super.matches(context, metadata);
    }
  }

  static class WithTransactions implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return ClassUtils.isPresent(
          "org.springframework.transaction.TransactionExecutionListener", context.getClassLoader());
    }
  }

  /** Advisors need somebody who makes proxies. */
  static class Proxies implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
    }
  }
}
