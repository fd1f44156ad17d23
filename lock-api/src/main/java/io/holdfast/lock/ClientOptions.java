/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

/**
 * Options of a client that do not depend on its backend: its name, executor, clock and default
 * terms.
 *
 * @param clientName the readable beginning of its owner ids; host name and process id if empty.
 *     Characters other than letters, digits, dots, underscores and hyphens are replaced, and it is
 *     cut to 64
 * @param callbackExecutor runs listeners, loss callbacks and the completion of futures that are not
 *     complete yet when they are handed out; it may block, and is never shut down here. It should
 *     have threads of its own: an executor that runs tasks on the submitting thread would run them
 *     on the thread that renews the leases. If empty, the client has daemon threads of its own, as
 *     many as are busy
 * @param time the clock, which is never closed here; the system's if empty
 * @param lockOptions the terms of locks that are asked for without any; {@link
 *     LockOptions#defaults()} if empty
 * @param permits how many permits a semaphore has that is asked for without a number ({@link
 *     LockClient#semaphore(String)}); if empty, such a request is refused
 */
public record ClientOptions(
    Optional<String> clientName,
    Optional<Executor> callbackExecutor,
    Optional<TimeSource> time,
    Optional<LockOptions> lockOptions,
    OptionalInt permits) {

  private static final ClientOptions DEFAULT =
      new ClientOptions(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty());

  /** Checks that nothing is null, and that the permits are in bounds. */
  public ClientOptions {
    Objects.requireNonNull(clientName, "clientName");
    Objects.requireNonNull(callbackExecutor, "callbackExecutor");
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(lockOptions, "lockOptions");
    permits.ifPresent(number -> Share.of(1, number));
  }

  /**
   * Everything empty.
   *
   * @return the default
   */
  public static ClientOptions defaults() {
    return DEFAULT;
  }

  /**
   * The same with a name.
   *
   * @param name the readable beginning of owner ids
   * @return a copy
   */
  public ClientOptions withClientName(String name) {
    return new ClientOptions(Optional.of(name), callbackExecutor, time, lockOptions, permits);
  }

  /**
   * The same with an executor.
   *
   * @param executor for callbacks
   * @return a copy
   */
  public ClientOptions withCallbackExecutor(Executor executor) {
    return new ClientOptions(clientName, Optional.of(executor), time, lockOptions, permits);
  }

  /**
   * The same with a clock, which is lent: the client never closes it, and several may share it.
   *
   * @param source the clock
   * @return a copy
   */
  public ClientOptions withTime(TimeSource source) {
    return new ClientOptions(
        clientName, callbackExecutor, Optional.of(source), lockOptions, permits);
  }

  /**
   * The same with terms for locks that are asked for without any.
   *
   * @param options of {@link LockClient#lock(String)}
   * @return a copy
   */
  public ClientOptions withLockOptions(LockOptions options) {
    return new ClientOptions(clientName, callbackExecutor, time, Optional.of(options), permits);
  }

  /**
   * The same with a number of permits for semaphores that are asked for without one.
   *
   * @param number from 1 to {@link Share#MOST_PERMITS}
   * @return a copy
   * @throws IllegalArgumentException if the number is out of bounds
   */
  public ClientOptions withPermits(int number) {
    return new ClientOptions(
        clientName, callbackExecutor, time, lockOptions, OptionalInt.of(number));
  }
}
