/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import java.util.List;

/** Threads that contend with one client, in a process of their own or in this one. */
interface ClientProcess extends AutoCloseable {

  /** Which it is. */
  String name();

  /** The targets of faults, each by itself. */
  List<Target> targets();

  /** The process that it has now, or had last. */
  String process();

  /**
   * Begins to start its processes, so that no time goes by with that later.
   *
   * @param ends how often one of them will be made to end, and another take its place
   */
  void prepare(int ends);

  /** Returns when all of them are ready. */
  void awaitReady();

  /** The first of them contends from now on. */
  void begin();

  /** No turn begins any more, and holders give back what they hold. Waits for nothing. */
  void askToEnd();

  /**
   * Waits until they have ended in good order.
   *
   * @return what went wrong with them, in words
   */
  List<String> finish();

  /** Ends them in any order. Idempotent. */
  @Override
  void close();
}
