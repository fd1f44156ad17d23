/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockException;
import io.holdfast.lock.config.Scenario;
import io.holdfast.lock.config.Scenarios;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Connects to the backend of the usual scenario on a thread of its own, while the application goes
 * on starting: the first connection takes longer than all else of Holdfast, as the client library
 * is loaded for it.
 *
 * <p>That thread asks Spring for no bean. Whoever makes a bean that needs the client waits for it,
 * and may hold a lock of Spring's meanwhile. So the beans that it needs are found before, by the
 * thread that makes this one.
 *
 * <p>Locks of PostgreSQL are opened when all other beans have been made, or when one of them needs
 * the client: a migration of the application may have to make their tables first.
 */
final class ClientOpening implements AutoCloseable {

  private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

  private final AtomicReference<CompletableFuture<Void>> underWay = new AtomicReference<>(NOTHING);

  /** Nothing is opened before the client is asked for. */
  ClientOpening() {}

  /**
   * Begins now.
   *
   * @param application whose usual scenario is meant
   * @param audience is told of the client
   * @param scenarios of that application
   */
  ClientOpening(ApplicationConfig application, ClientAudience audience, Scenarios scenarios) {
    try {
      Scenario usual = application.config().scenario(ApplicationConfig.USUAL);
      if (ConnectionKind.of(usual.provider()).filter(ConnectionKind.POSTGRES::equals).isPresent()) {
        return;
      }
      application
          .connections()
          .find(
              usual.backend(),
              usual.provider(),
              application.config().settings(ApplicationConfig.USUAL));
    } catch (LockException e) {
      // Whoever asks for the client is told, in the words of its backend.
      return;
    }
    audience.lookUp();
    underWay.set(
        CompletableFuture.runAsync(
            () -> scenarios.forScenario(ApplicationConfig.USUAL), ClientOpening::run));
  }

  private static void run(Runnable task) {
    Thread thread = new Thread(task, "holdfast-opening");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits for what has begun. A failure is thrown once: after that, whoever asks for the client
   * connects again.
   */
  void await() {
    try {
      underWay.getAndSet(NOTHING).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** Waits as well, so that the connections that are used for it stay open until it has ended. */
  @Override
  public void close() {
    underWay.getAndSet(NOTHING).exceptionally(failure -> null).join();
  }
}
