/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The effect of a signal to this JVM on the thread that made this: an interrupt while it waits for
 * the lock, and afterwards the effect that the thread has set. The JVM lives on until that thread
 * has tidied up.
 */
public final class Shutdown implements AutoCloseable {

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch done = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();
  private boolean signalled;
  private Runnable action = worker::interrupt;

  /** Begins to listen. */
  public Shutdown() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::signalled, "holdfast-signal"));
  }

  /**
   * From now on a signal has this effect; at once, if it has come already.
   *
   * @param effect short; on a thread of the JVM
   */
  public void signals(Runnable effect) {
    lock.lock();
    try {
      action = effect;
      if (signalled) {
        // The interrupt was for a wait that is over; it would end what follows instead.
        Thread.interrupted();
        effect.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns when this is closed. */
  void signalled() {
    lock.lock();
    try {
      signalled = true;
      action.run();
    } finally {
      lock.unlock();
    }
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The exit of the JVM, which comes next, is like a signal, and has no effect any more. */
  @Override
  public void close() {
    lock.lock();
    try {
      action = () -> {};
    } finally {
      lock.unlock();
    }
    done.countDown();
  }
}
