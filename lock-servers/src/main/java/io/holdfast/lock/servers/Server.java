/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.util.List;

/**
 * A real server, in a process or a container of its own, that runs from its static {@code launch}
 * on until it is closed. Not thread-safe. Methods that change its state return when the change is
 * done, and throw {@link IllegalStateException} if it does not come about.
 */
public interface Server extends AutoCloseable {

  /**
   * Where it listens.
   *
   * @return an address of the loopback interface
   */
  String host();

  /**
   * Where it listens.
   *
   * @return the port, the same through all restarts
   */
  int port();

  /**
   * Describes the server that runs, for logs and reports.
   *
   * @return for example {@code redis-server 7.0.15, local process 4711, 127.0.0.1:20001}
   */
  String describe();

  /** Ends it in good order; its data stays. Does nothing if it does not run. */
  void stop();

  /** Ends it with SIGKILL; what it wrote to disk stays. Does nothing if it does not run. */
  void kill();

  /**
   * Starts it again, on the same port, and returns when it answers. Does nothing if it runs.
   *
   * @throws IllegalStateException if it does not answer within 30 seconds
   */
  void start();

  /**
   * Ends it as {@link #stop()} does, and starts it with a wall clock of its own, which it has until
   * it ends.
   *
   * @param clock which can be set while it runs
   * @return false if it cannot have one; then nothing is done
   * @throws IllegalStateException if it does not answer within 30 seconds
   */
  default boolean restartWith(FakeClock clock) {
    return false;
  }

  /**
   * Removes its data.
   *
   * @throws IllegalStateException if it runs
   */
  void wipe();

  /** Freezes it with SIGSTOP (a container: pause). Connections stay open and nobody answers. */
  void suspend();

  /** Lets it go on with SIGCONT. */
  void resume();

  /**
   * Further faults of a running server of this kind, always the same in the same order.
   *
   * @return none unless overridden
   */
  default List<ServerFault> troubles() {
    return List.of();
  }

  /** Ends it, also when it is suspended, and deletes its files. Idempotent, and throws nothing. */
  @Override
  void close();
}
