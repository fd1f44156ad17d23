/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Work that tells what became of it. */
final class RecordedWork implements Work {

  final BlockingQueue<Lease> started = new LinkedBlockingQueue<>();
  final List<StopReason> stopped = new CopyOnWriteArrayList<>();
  final List<Boolean> validAtStop = new CopyOnWriteArrayList<>();
  final List<Boolean> interruptedAtStop = new CopyOnWriteArrayList<>();
  final AtomicBoolean failsNext = new AtomicBoolean();
  final AtomicBoolean failingToStop = new AtomicBoolean();
  volatile CountDownLatch beforeStopped = new CountDownLatch(0);
  volatile InPlace inPlace = () -> {};
  private volatile @Nullable Lease current;

  @Override
  public void start(Lease lease) throws Exception {
    current = lease;
    started.add(lease);
    if (failsNext.getAndSet(false)) {
      throw new IllegalStateException("this work fails");
    }
    inPlace.work();
  }

  @Override
  public void stop(StopReason reason) throws Exception {
    stopped.add(reason);
    validAtStop.add(Objects.requireNonNull(current).isValid());
    interruptedAtStop.add(Thread.currentThread().isInterrupted());
    beforeStopped.await();
    if (failingToStop.get()) {
      throw new IllegalStateException("this work does not stop well");
    }
  }

  /** Work on the thread on which it is started. */
  interface InPlace {
    void work() throws Exception;
  }
}
