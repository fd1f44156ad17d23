/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import java.lang.reflect.Method;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Puts the interceptor around {@link Locked} methods. The pointcut looks at each method of a bean
 * when that is made, and so refuses annotations that cannot work.
 */
final class LockedAdvisor extends DefaultPointcutAdvisor {

  private static final long serialVersionUID = 1L;

  LockedAdvisor(LockedMethods methods, LockedInterceptor interceptor, int order) {
    super(new LockedPointcut(methods), interceptor);
    setOrder(order);
  }

  private static final class LockedPointcut extends StaticMethodMatcherPointcut {

    private final LockedMethods methods;

    LockedPointcut(LockedMethods methods) {
      this.methods = methods;
      setClassFilter(new LockedTypes());
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
      if (!methods.isLocked(method, targetClass)) {
        return false;
      }
      methods.get(method, targetClass);
      return true;
    }
  }
}
