/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.HistoryWriter;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A client process in this JVM, where no other can reach the backend. */
final class LocalClientProcess implements ClientProcess {

  private final String process;
  private final ClientThreads threads;
  private final Queue<String> troubles = new ConcurrentLinkedQueue<>();

  LocalClientProcess(Fixture fixture, WorkerConfig config) {
    process = config.process();
    HistoryWriter history = HistoryWriter.open(config.directory(), config.process());
    history.append(
        new Event.Started(System.nanoTime(), config.process(), ProcessHandle.current().pid()));
    threads =
        new ClientThreads(
            config,
            fixture.open(ClientOptions.defaults()),
            history,
            (thread, thrown) -> troubles.add(thread.getName() + " failed: " + thrown));
  }

  @Override
  public List<Target> targets() {
    return List.of();
  }

  @Override
  public String name() {
    return process;
  }

  @Override
  public String process() {
    return process;
  }

  @Override
  public void prepare(int ends) {}

  @Override
  public void awaitReady() {}

  @Override
  public void begin() {}

  @Override
  public void askToEnd() {
    threads.end();
  }

  @Override
  public List<String> finish() {
    threads.close();
    return List.copyOf(troubles);
  }

  @Override
  public void close() {
    threads.end();
  }
}
