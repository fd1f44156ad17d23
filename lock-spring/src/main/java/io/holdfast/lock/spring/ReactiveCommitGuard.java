/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Refuses the commit of a reactive transaction whose subscriber holds a lease that is not valid any
 * more. Spring tells listeners of reactive transactions nothing about the subscriber; so the leases
 * are asked within the transaction, when the result of its {@code @Transactional} method completes:
 * as the innermost advice of that method, which is added when all others are in place. An error
 * there is a failure of the method, and rolls the transaction back. Beans that are Spring's {@link
 * TransactionalOperator} do the same at the end of what they wrap.
 */
final class ReactiveCommitGuard implements BeanPostProcessor, Ordered {

  private final Transactional pointcut = new Transactional();
  private final Advisor advisor = new DefaultPointcutAdvisor(pointcut, new Check());

  /** After those that make the proxies. */
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof Advised advised
        && !advised.isFrozen()
        && AopUtils.canApply(pointcut, AopUtils.getTargetClass(bean))) {
      advised.addAdvisor(advisor);
    }
    return bean instanceof TransactionalOperator operator && isOfSpring(bean)
        ? new GuardedOperator(operator)
        : bean;
  }

  /**
   * Also behind a proxy. Its class is not public, so that nobody can ask for the bean by it. That
   * of a mock may be in the same package.
   */
  private static boolean isOfSpring(Object bean) {
    return AopUtils.getTargetClass(bean)
        .getName()
        .equals(TransactionalOperator.class.getName() + "Impl");
  }

  /** Its other methods are made of this one. */
  private record GuardedOperator(TransactionalOperator operator) implements TransactionalOperator {

    @Override
    public <T> Flux<T> execute(TransactionCallback<T> action) {
      return operator.execute(status -> Check.checked(Flux.from(action.doInTransaction(status))));
    }
  }

  /** Methods that begin or join a transaction, and whose result is reactive. */
  private static final class Transactional extends StaticMethodMatcherPointcut {

    private final TransactionAttributeSource attributes =
        new AnnotationTransactionAttributeSource();

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
      return attributes.getTransactionAttribute(method, targetClass) != null && isReactive(method);
    }

    private static boolean isReactive(Method method) {
      return KotlinDetector.isSuspendingFunction(method)
          || ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType()) != null;
    }
  }

  private static final class Check implements MethodInterceptor {

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      Object result = invocation.proceed();
      if (result instanceof Mono<?> mono) {
        return checked(mono);
      }
      if (result instanceof Flux<?> flux) {
        return checked(flux);
      }
      ReactiveAdapter adapter =
          result == null
              ? null
              : ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
      if (adapter == null) {
        return result;
      }
      return adapter.fromPublisher(
          adapter.isMultiValue()
              ? checked(Flux.from(adapter.toPublisher(result)))
              : checked(Mono.from(adapter.toPublisher(result))));
    }

    private static <T> Mono<T> checked(Mono<T> result) {
      return Mono.deferContextual(
          context -> result.doOnSuccess(value -> ReactiveLeases.ensureValid(context)));
    }

    private static <T> Flux<T> checked(Flux<T> result) {
      return Flux.deferContextual(
          context -> result.doOnComplete(() -> ReactiveLeases.ensureValid(context)));
    }
  }
}
