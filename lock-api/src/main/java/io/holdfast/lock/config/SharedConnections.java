/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Connections that several scenarios or threads share. The first to ask opens the connection; the
 * others wait for the same result. A failure is not remembered.
 *
 * @param <K> what tells them apart
 * @param <V> what is opened
 */
final class SharedConnections<K, V> {

  private final Consumer<V> closer;
  private final ConcurrentHashMap<K, CompletableFuture<V>> all = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  SharedConnections(Consumer<V> closer) {
    this.closer = closer;
  }

  /** Returns the open connection, or opens it, for a scenario. */
  V get(K key, String scenario, Supplier<V> opener) {
    if (closed.get()) {
      throw closedAlready(scenario);
    }
    CompletableFuture<V> mine = new CompletableFuture<>();
    CompletableFuture<V> theirs = all.putIfAbsent(key, mine);
    if (theirs == null) {
      open(key, mine, opener);
    }
    V opened = join(theirs == null ? mine : theirs);
    if (closed.get()) {
      closer.accept(opened);
      throw closedAlready(scenario);
    }
    return opened;
  }

  private static LockClosedException closedAlready(String scenario) {
    return new LockClosedException(
        "Scenario '" + scenario + "' was asked for, but the scenarios are closed");
  }

  private void open(K key, CompletableFuture<V> opening, Supplier<V> opener) {
    try {
      opening.complete(opener.get());
    } catch (RuntimeException | Error e) {
      all.remove(key, opening);
      opening.completeExceptionally(e);
    }
  }

  private V join(CompletableFuture<V> opening) {
    try {
      return opening.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  boolean isClosed() {
    return closed.get();
  }

  /** A connection that is still being opened is closed as soon as it is open. */
  void close() {
    closed.set(true);
    all.values()
        .forEach(
            opening ->
                opening.whenComplete(
                    (opened, failure) -> {
                      if (opened != null) {
                        closer.accept(opened);
                      }
                    }));
  }
}
