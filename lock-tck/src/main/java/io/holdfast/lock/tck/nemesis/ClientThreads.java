/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.HistoryWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client and several threads that contend for locks with it, and write down what they do. A
 * process of its own has one, as {@link ClientProcessMain}.
 */
final class ClientThreads implements AutoCloseable {

  private static final Duration LAST_TURN = Duration.ofSeconds(20);

  /** So many threads that readers keep coming while a writer waits. */
  private static final int SHARING = 3;

  private final WorkerConfig config;
  private final LockClient client;
  private final HistoryWriter history;
  private final List<Resource> resources;
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Interrupter interrupter = new Interrupter();
  private final List<Thread> threads = new ArrayList<>();

  /** Owner ids of attempts that are under way. */
  private final Set<String> unanswered = new HashSet<>();

  /**
   * Takes over the client and the history.
   *
   * @param failed is told of a thread that fails, as none should
   */
  ClientThreads(
      WorkerConfig config,
      LockClient client,
      HistoryWriter history,
      Thread.UncaughtExceptionHandler failed) {
    this.config = config;
    this.client = client;
    this.history = history;
    this.resources = config.openResources();
    boolean shares = config.sharing() != Capabilities.Sharing.NONE;
    if (config.queued() || shares) {
      client.addListener(this::queued);
    }
    Random seeds = new Random(config.seed());
    List<Workload> workloads =
        new ArrayList<>(
            List.of(
                Workload.brisk(config),
                Workload.brisk(config),
                Workload.slow(config),
                Workload.keeping(config),
                Workload.trying(config),
                Workload.alone(config)));
    // Where there are no shares, it asks for several locks.
    workloads.addAll(Collections.nCopies(shares ? SHARING : 1, Workload.severalAndShared(config)));
    for (Workload workload : workloads) {
      String name = "t" + (threads.size() + 1);
      ProcessLog log = new ProcessLog(config.process(), history);
      WorkloadThread turns =
          new WorkloadThread(config, workload, name, client, log, this, seeds.nextLong());
      Thread thread = new Thread(turns, config.process() + "-" + name);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler(failed);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /** Where no queue is promised, only who waits for a share has a place that counts. */
  private void queued(LockEvent event) {
    if (!config.queued() && event.share().capacity() == 1) {
      return;
    }
    if (event instanceof LockEvent.Attempted attempted) {
      unanswered.add(attempted.ownerId());
      return;
    }
    boolean waited = unanswered.remove(event.ownerId());
    if (event instanceof LockEvent.Contended contended) {
      history.append(
          new Event.Queued(
              System.nanoTime(),
              config.process(),
              contended.lockName(),
              contended.ownerId(),
              contended.share()));
    } else if (waited && event instanceof LockEvent.GaveUp gaveUp) {
      history.append(
          new Event.Unanswered(
              System.nanoTime(), config.process(), gaveUp.lockName(), gaveUp.ownerId()));
    }
  }

  long nextAttempt() {
    return attempts.incrementAndGet();
  }

  Interrupter interrupter() {
    return interrupter;
  }

  List<Resource> usable() {
    return resources;
  }

  boolean hasEnded() {
    return ended.get();
  }

  /** No thread begins another turn. */
  void end() {
    ended.set(true);
  }

  /** Each thread ends the turn that it is in; then the client is closed. */
  @Override
  public void close() {
    end();
    long deadline = System.nanoTime() + LAST_TURN.toNanos();
    for (Thread thread : threads) {
      join(thread, deadline);
    }
    client.close();
    threads.forEach(thread -> join(thread, deadline));
    interrupter.close();
    resources.forEach(Resource::close);
    history.append(new Event.Finished(System.nanoTime(), config.process()));
    history.close();
  }

  private static void join(Thread thread, long deadline) {
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
