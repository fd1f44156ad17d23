/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedLock.LeaseFunction;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.ReleaseOutcome;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Methods whose result is a publisher, or what Spring adapts to one. The lock is asked for when the
 * result is subscribed to, and given back when it is complete, has failed, or is cancelled; with a
 * reactive transaction that was under way, when that has ended. Each subscription has a lease of
 * its own. Needs Reactor.
 */
final class ReactiveLocking {

  private final AsyncAcquisition asked;
  private final LockObserver observer;
  private final LockObserver.Work observed;

  /** Whether the lease is kept until the transaction that was under way has ended. */
  private volatile boolean tied;

  /** The loss to report at the end, if the lease was found to be lost then. */
  private volatile @Nullable LockLostException loss;

  private ReactiveLocking(
      AsyncAcquisition asked, LockObserver observer, LockObserver.Work observed) {
    this.asked = asked;
    this.observer = observer;
    this.observed = observed;
  }

  private static ReactiveLocking subscribed(
      LockedMethod locked, DistributedLock lock, LockObserver observer, ContextView context) {
    LockObserver.Work observed = observer.begin(lock, context.getOrEmpty(observer.contextKey()));
    return new ReactiveLocking(AsyncAcquisition.lock(locked, lock, observed), observer, observed);
  }

  static Object call(
      LockedMethod locked, Supplier<DistributedLock> lock, LockedBody body, LockObserver observer) {
    if (KotlinDetector.isSuspendingFunction(locked.method())) {
      // Spring has made a publisher of it, and waits for the first element.
      return mono(locked, lock, lease -> publisher(body.call(lease)), observer);
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
        adapter.isMultiValue()
            ? flux(locked, lock, publisher, observer)
            : mono(locked, lock, publisher, observer));
  }

  private static Publisher<?> publisher(@Nullable Object result) {
    return result == null ? Mono.empty() : (Publisher<?>) result;
  }

  /** Its value is passed on after {@link #completed}, unlike those of a {@link #flux}. */
  private static Mono<?> mono(
      LockedMethod locked,
      Supplier<DistributedLock> lock,
      LeaseFunction<Publisher<?>, Exception> body,
      LockObserver observer) {
    return Mono.deferContextual(
        context -> {
          ReactiveLocking call = subscribed(locked, lock.get(), observer, context);
          return Mono.usingWhen(
                  call.granted(),
                  lease -> Mono.from(call.work(body, lease)),
                  call::completed,
                  (lease, failure) -> call.failed(lease),
                  call::failed)
              .onErrorMap(call::unwrapped)
              .doOnError(call.observed::failed)
              .doOnTerminate(call::ended)
              .doOnCancel(call::ended)
              .doFinally(signal -> call.giveBack());
        });
  }

  private static Flux<?> flux(
      LockedMethod locked,
      Supplier<DistributedLock> lock,
      LeaseFunction<Publisher<?>, Exception> body,
      LockObserver observer) {
    return Flux.deferContextual(
        context -> {
          ReactiveLocking call = subscribed(locked, lock.get(), observer, context);
          return Flux.usingWhen(
                  call.granted(),
                  lease -> call.work(body, lease),
                  call::completed,
                  (lease, failure) -> call.failed(lease),
                  call::failed)
              .onErrorMap(call::unwrapped)
              .doOnError(call.observed::failed)
              .doOnTerminate(call::ended)
              .doOnCancel(call::ended)
              .doFinally(signal -> call.giveBack());
        });
  }

  private Context with(Context context, Lease lease) {
    Context own = ReactiveLeases.add(context, lease);
    return observed.context().map(value -> own.put(observer.contextKey(), value)).orElse(own);
  }

  /**
   * A lease that is granted after a cancellation is given back by {@link
   * AsyncAcquisition#giveBack}.
   */
  private Mono<Lease> granted() {
    Mono<Lease> lease =
        Mono.fromFuture(asked.future())
            .flatMap(value -> Mono.justOrEmpty(AsyncAcquisition.lease(value)));
    return LockTemplate.TRANSACTIONS
        ? lease.flatMap(
            granted -> ReactiveTransactions.tie(granted, () -> tied = true, observed::end))
        : lease;
  }

  private Publisher<Object> work(LeaseFunction<Publisher<?>, Exception> body, Lease lease) {
    Runnable close = observed.open();
    try {
      observed.granted(lease);
      return Flux.from(body.call(lease))
          .cast(Object.class)
          .contextWrite(context -> with(context, lease));
    } catch (Exception e) {
      return Mono.error(e);
    } finally {
      close.run();
    }
  }

  private Mono<Void> completed(Lease lease) {
    if (tied) {
      return lease.isValid() ? Mono.empty() : lost(lease);
    }
    return Mono.fromFuture(lease::releaseAsync)
        .flatMap(outcome -> outcome == ReleaseOutcome.ALREADY_LOST ? lost(lease) : Mono.empty());
  }

  private Mono<Void> lost(Lease lease) {
    LockLostException told = LockTemplate.lost(lease);
    loss = told;
    return Mono.error(told);
  }

  /** Reactor puts an exception of its own around a failure of {@link #completed}. */
  private Throwable unwrapped(Throwable failure) {
    LockLostException told = loss;
    return told != null && told.equals(failure.getCause()) ? told : failure;
  }

  private Mono<Void> failed(Lease lease) {
    return tied ? Mono.empty() : undo(lease);
  }

  private void giveBack() {
    if (!tied) {
      asked.giveBack();
    }
  }

  private void ended() {
    if (!tied) {
      observed.end();
    }
  }

  /** A lease that has a transaction of its own rolls it back when it is closed, and that waits. */
  static Mono<Void> undo(Lease lease) {
    return Mono.fromRunnable(lease::close)
        .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic())
        .then();
  }
}
