/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Writes down by which methods the leases of a lock are ended. */
final class RecordedLeases {

  /** In their order; also of leases that had ended before. */
  final List<String> ends = new CopyOnWriteArrayList<>();

  /** A view whose leases are watched. */
  DistributedLock of(DistributedLock lock) {
    return (DistributedLock)
        Proxy.newProxyInstance(
            DistributedLock.class.getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, arguments) -> watched(invoke(lock, method, arguments)));
  }

  private @Nullable Object watched(@Nullable Object answer) {
    if (answer instanceof Lease lease) {
      return recorded(lease);
    }
    if (answer instanceof Optional<?> maybe) {
      return maybe.map(this::watched);
    }
    return answer instanceof CompletableFuture<?> future ? future.thenApply(this::watched) : answer;
  }

  private Lease recorded(Lease lease) {
    return (Lease)
        Proxy.newProxyInstance(
            Lease.class.getClassLoader(),
            new Class<?>[] {Lease.class},
            (proxy, method, arguments) -> {
              if (List.of("release", "releaseAsync", "close").contains(method.getName())) {
                ends.add(method.getName());
              }
              return invoke(lease, method, arguments);
            });
  }

  private static @Nullable Object invoke(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
