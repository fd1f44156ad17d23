/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock.LeaseFunction;
import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.RequestedShare.Views;
import io.holdfast.lock.text.VisibleText;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Holds the lock of a {@link Locked} method while it is at work. */
final class LockedInterceptor implements MethodInterceptor {

  static final boolean REACTOR =
      ClassUtils.isPresent("reactor.core.publisher.Mono", LockedInterceptor.class.getClassLoader());

  private final LockedMethods methods;
  private final LockTemplate template;
  private final Supplier<LockSource> source;

  /** The source is asked for with the first call: it must not be made before Spring is ready. */
  LockedInterceptor(LockedMethods methods, LockTemplate template, Supplier<LockSource> source) {
    this.methods = methods;
    this.template = template;
    this.source = source;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Class<?> type = target == null ? null : AopUtils.getTargetClass(target);
    LockedMethod locked = methods.get(invocation.getMethod(), type);
    String name = methods.lockName(locked, target, invocation.getArguments());
    Supplier<Views> views = () -> locked.views(source.get(), name);
    LockedBody body = lease -> proceed(invocation, locked, lease);
    return switch (locked.kind()) {
      case BLOCKING -> blocking(locked, views.get(), body);
      case STAGE -> stage(locked, views, body);
      case REACTIVE ->
          ReactiveLocking.call(locked, () -> views.get().lock(), body, template.observer());
    };
  }

  private @Nullable Object blocking(LockedMethod locked, Views views, LockedBody body)
      throws Exception {
    Optional<Duration> wait = locked.maxWait();
    try {
      if (locked.skips()) {
        Optional<Object> done =
            template
                .tryCall(
                    views,
                    wait.orElse(Duration.ZERO),
                    lease -> Optional.ofNullable(body.call(lease)))
                .flatMap(result -> result);
        return locked.method().getReturnType() == Optional.class
            ? done.orElse(Optional.empty())
            : done.orElse(null);
      }
      LeaseFunction<Optional<Object>, Exception> work =
          lease -> Optional.ofNullable(body.call(lease));
      return (wait.isPresent()
              ? template.call(views, wait.get(), work)
              : template.call(views, work))
          .orElse(null);
    } catch (InterruptedException e) {
      if (declaresIt(locked.method())) {
        throw e;
      }
      Thread.currentThread().interrupt();
      CancellationException cancelled =
          new CancellationException(
              "Interrupted while waiting for lock '" + VisibleText.of(views.lock().name()) + "'");
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  private static boolean declaresIt(Method method) {
    return Arrays.stream(method.getExceptionTypes())
        .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
  }

  private CompletableFuture<@Nullable Object> stage(
      LockedMethod locked, Supplier<Views> views, LockedBody body) {
    try {
      Views asked = views.get();
      return CompletionStageLocking.call(
          locked,
          asked.lock(),
          lease -> template.guarded(asked, lease, body),
          template.observer().begin(asked.lock(), Optional.empty()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** On a copy, which may be used later, on another thread, and more than once. */
  private static @Nullable Object proceed(
      MethodInvocation invocation, LockedMethod locked, Lease lease) throws Exception {
    @Nullable Object[] arguments = locked.arguments(invocation.getArguments(), lease);
    try {
      return ((ProxyMethodInvocation) invocation).invocableClone(arguments).proceed();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e);
    }
  }
}
