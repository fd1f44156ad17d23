/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an observer throws from the calls that it observes: otherwise a mistake of it would
 * leave a lock behind, or give it back while the work goes on.
 */
record SafeObserver(LockObserver observer) implements LockObserver {

  private static final Logger LOG = LoggerFactory.getLogger(SafeObserver.class);

  @Override
  public Work begin(DistributedLock lock, Optional<Object> parent) {
    return new SafeWork(tried(() -> observer.begin(lock, parent), NoObserver.INSTANCE));
  }

  @Override
  public Object contextKey() {
    return tried(observer::contextKey, this);
  }

  private static <T> T tried(Supplier<T> step, T otherwise) {
    try {
      return step.get();
    } catch (Throwable e) {
      failed(e);
      return otherwise;
    }
  }

  private static void tried(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      failed(e);
    }
  }

  private static void failed(Throwable e) {
    LOG.warn("An observer of locks failed; the call that it observes goes on", e);
  }

  private record SafeWork(Work work) implements Work {

    @Override
    public Optional<Object> context() {
      return tried(work::context, Optional.empty());
    }

    @Override
    public Runnable open() {
      Runnable close = tried(work::open, NoObserver.INSTANCE.open());
      return () -> tried(close);
    }

    @Override
    public void granted(Lease lease) {
      tried(() -> work.granted(lease));
    }

    @Override
    public void failed(Throwable thrown) {
      tried(() -> work.failed(thrown));
    }

    @Override
    public void end() {
      tried(work::end);
    }
  }
}
