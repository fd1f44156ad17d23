/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedLock.LeaseFunction;
import io.holdfast.lock.Lease;
import io.holdfast.lock.ReleaseOutcome;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Methods whose result is a publisher, or what Spring adapts to one. The lock is asked for when the
 * result is subscribed to, and given back when it is complete, has failed, or is cancelled. Each
 * subscription has a lease of its own. Needs Reactor.
 */
final class ReactiveLocking {

  private ReactiveLocking() {}

  static Object call(LockedMethod locked, Supplier<DistributedLock> lock, LockedBody body) {
    if (KotlinDetector.isSuspendingFunction(locked.method())) {
      // Spring has made a publisher of it, and waits for the first element.
      return mono(locked, lock, lease -> publisher(body.call(lease)));
    }
    ReactiveAdapter adapter =
        ReactiveAdapterRegistry.getSharedInstance().getAdapter(locked.method().getReturnType());
    if (adapter == null) {
      throw new IllegalStateException("no adapter: " + locked.method());
    }
    LeaseFunction<Publisher<?>, Exception> publisher =
        lease -> {
          Object result = body.call(lease);
          return result == null ? Mono.empty() : adapter.<Object>toPublisher(result);
        };
    return adapter.fromPublisher(
        adapter.isMultiValue() ? flux(locked, lock, publisher) : mono(locked, lock, publisher));
  }

  private static Publisher<?> publisher(@Nullable Object result) {
    return result == null ? Mono.empty() : (Publisher<?>) result;
  }

  private static Mono<?> mono(
      LockedMethod locked,
      Supplier<DistributedLock> lock,
      LeaseFunction<Publisher<?>, Exception> body) {
    return Mono.defer(
        () -> {
          Asked asked = Asked.lock(locked, lock.get());
          return Mono.usingWhen(
                  granted(asked),
                  lease -> Mono.from(work(body, lease)),
                  ReactiveLocking::release,
                  (lease, failure) -> undo(lease),
                  ReactiveLocking::undo)
              .doFinally(signal -> asked.giveBack());
        });
  }

  private static Flux<?> flux(
      LockedMethod locked,
      Supplier<DistributedLock> lock,
      LeaseFunction<Publisher<?>, Exception> body) {
    return Flux.defer(
        () -> {
          Asked asked = Asked.lock(locked, lock.get());
          return Flux.usingWhen(
                  granted(asked),
                  lease -> work(body, lease),
                  ReactiveLocking::release,
                  (lease, failure) -> undo(lease),
                  ReactiveLocking::undo)
              .doFinally(signal -> asked.giveBack());
        });
  }

  /** What is granted after a cancellation is given back by {@link Asked#giveBack}. */
  private static Mono<Lease> granted(Asked asked) {
    return Mono.fromFuture(asked.future()).flatMap(value -> Mono.justOrEmpty(Asked.lease(value)));
  }

  private static Publisher<Object> work(LeaseFunction<Publisher<?>, Exception> body, Lease lease) {
    try {
      return Flux.from(body.call(lease)).cast(Object.class);
    } catch (Exception e) {
      return Mono.error(e);
    }
  }

  private static Mono<Void> release(Lease lease) {
    return Mono.fromFuture(lease::releaseAsync)
        .flatMap(
            outcome ->
                outcome == ReleaseOutcome.ALREADY_LOST
                    ? Mono.error(LockTemplate.lost(lease))
                    : Mono.empty());
  }

  /** A lease that has a transaction of its own rolls it back when it is closed, and that waits. */
  private static Mono<Void> undo(Lease lease) {
    return Mono.fromRunnable(lease::close)
        .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic())
        .then();
  }
}
