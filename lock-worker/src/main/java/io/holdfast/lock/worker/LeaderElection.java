/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One candidate of many, of which one leads at a time: the one that has the lock of the election's
 * name. It is a {@link LockWorker} whose work is what a leader does, and promises what that
 * promises: the leader is told to stop before another can be elected, unless it lost the lock
 * without warning; and its lease has a token with which the resource refuses one that was deposed
 * and does not know.
 *
 * <p>While it stands, it has the threads of a {@link LockWorker}. All methods may be called from
 * any thread, also from within the work.
 */
public final class LeaderElection implements AutoCloseable {

  private final LockClient client;
  private final String name;
  private final LockWorker worker;

  /**
   * A candidate that does not stand until it is started.
   *
   * @param client stays open for as long as the candidate stands; never closed here. Its name
   *     ({@code client-name}) is what others see of the leader
   * @param name of the election: the lock
   * @param work {@link Work#start} when elected, {@link Work#stop} when it has to stop leading
   * @param options how
   * @throws IllegalArgumentException if there can be no lock of that name
   * @throws io.holdfast.lock.LockClosedException if the client is closed
   */
  public LeaderElection(LockClient client, String name, Work work, WorkerOptions options) {
    this.client = client;
    this.name = name;
    this.worker = new LockWorker(client, name, work, options);
  }

  /**
   * Stands for election, from now on and after each time of leading. Returns at once.
   *
   * @throws IllegalStateException if it stands already, or its last time has not ended yet
   */
  public void start() {
    worker.start();
  }

  /**
   * Whether this candidate leads, and nobody else can. Does not ask the backend. True from just
   * before the work is told to start until the lock is given back or the validity of its lease
   * ends; also for the time in which the work stops.
   *
   * @return false also on the first look after the process was suspended for too long
   */
  public boolean isLeader() {
    return worker.lease().isPresent();
  }

  /**
   * Looks up the leader, as {@link #leader(LockClient, String)} does. A candidate that does not
   * stand may ask as well.
   *
   * @return empty if nobody does
   */
  public Optional<LockHolder> leader() {
    return leader(client, name);
  }

  /**
   * Looks up the leader at the server; for processes that are no candidates. Asks it, and waits for
   * the answer, at most for about the backend's operation time-out. The answer may be old when it
   * arrives: for people and displays, and to find the leader, who checks for itself whether it is.
   *
   * @param client of the same backend and namespace as the candidates
   * @param name of the election
   * @return the leader, with {@link LockHolder#clientName()} as its label; empty if nobody leads
   * @throws UnsupportedOperationException if the backend cannot tell, as {@code
   *     client.capabilities().inspection()} says
   * @throws io.holdfast.lock.LockUnavailableException if the server does not answer
   */
  public static Optional<LockHolder> leader(LockClient client, String name) {
    return client.inspector().holder(name);
  }

  /**
   * Gives up leading, if it leads: the work is told to stop, then the lock is given back, and
   * another candidate is elected. Stands again after the pause of the options; who is not to stand
   * again calls {@link #stop}. Returns at once.
   */
  public void resign() {
    worker.resign();
  }

  /**
   * Stands no more: stops the work if it leads, and gives the lock back. It may be started again.
   * Idempotent.
   *
   * @return completes when the work has stopped, and the lock was given back
   */
  public CompletableFuture<Void> stop() {
    return worker.stop();
  }

  /**
   * As {@link #stop()}, and waits for the end; an interrupt does not end it, and stays set. Does
   * not wait on the thread that {@link Work#start} or {@link Work#stop} runs on: the end waits for
   * it. Nor if that has called {@link System#exit}, as {@link LockWorker#close()} says.
   */
  @Override
  public void close() {
    worker.close();
  }
}
