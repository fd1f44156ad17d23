/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

import io.holdfast.lock.StaleTokenException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Guards one resource of one process, in memory. The token that it remembers is lost with the
 * process: where that matters, store {@link #newest()} with the resource, and begin with it. For
 * any number of threads.
 */
public final class TokenGuard {

  private final String resource;
  private final ReentrantLock lock = new ReentrantLock();
  private long newest;

  /**
   * For a resource where no token has been used.
   *
   * @param resource its name, for messages
   */
  public TokenGuard(String resource) {
    this(resource, 0);
  }

  /**
   * For a resource where tokens have been used.
   *
   * @param resource its name, for messages
   * @param newest the greatest of them; zero for none
   */
  public TokenGuard(String resource, long newest) {
    this.resource = Objects.requireNonNull(resource, "resource");
    if (newest < 0) {
      throw new IllegalArgumentException("newest must not be negative, but is " + newest);
    }
    this.newest = newest;
  }

  /**
   * Writes, unless a greater token has been used here. One write at a time, so that none is
   * overtaken between its check and its end.
   *
   * @param token of the lease under which this is written
   * @param write runs on this thread; if it fails, the token is remembered all the same
   * @param <T> its result
   * @return its result
   * @throws StaleTokenException if a greater token has been used here; the write was not run
   * @throws IllegalArgumentException if the token is not positive
   * @throws Exception of the write
   */
  public <T> T call(long token, Callable<T> write) throws Exception {
    TokenChecks.check(token);
    lock.lock();
    try {
      if (token < newest) {
        throw new StaleTokenException(resource, token, newest + " has been there");
      }
      newest = token;
      return write.call();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The greatest token that was used here.
   *
   * @return zero if none was
   */
  public long newest() {
    lock.lock();
    try {
      return newest;
    } finally {
      lock.unlock();
    }
  }
}
