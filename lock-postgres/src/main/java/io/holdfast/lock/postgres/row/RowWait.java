/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A claim that waits: a notification wakes it, and it has a mark at the server, as a release only
 * notifies if it finds one. The mark is a shared lock in the worker's session, and ends with that.
 * It is made and taken back on the worker's thread, so that nothing remains of a request whose
 * answer came too late.
 */
final class RowWait {

  private static final Logger LOG = LoggerFactory.getLogger(RowWait.class);

  static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  /** The row's holder has looked for marks, and is about to free it. */
  private static final Optional<Attempt> RELEASING =
      Optional.of(new Attempt.Contended(Optional.of(Duration.ofMillis(5))));

  private final NotificationListener notifications;
  private final RowWorker worker;
  private final AdvisoryKey key;
  private final ClaimSignals signals;
  private volatile @Nullable PgConnection session;
  private CompletableFuture<Boolean> unmarked = CompletableFuture.completedFuture(true);
  private boolean marks;

  /** Neither yet. */
  RowWait(
      NotificationListener notifications, RowWorker worker, AdvisoryKey key, ClaimSignals signals) {
    this.notifications = notifications;
    this.worker = worker;
    this.key = key;
    this.signals = signals;
  }

  AdvisoryKey key() {
    return key;
  }

  void listen() {
    notifications.add(key, signals);
  }

  /** Whether a release finds the mark, which was made in a session. */
  boolean isMarkedIn(@Nullable PgConnection asking) {
    return asking != null && asking == session;
  }

  /** Makes the mark; if it cannot, answers what an attempt comes to. */
  Optional<Attempt> mark(Supplier<String> operation) {
    awaitEnd();
    marks = true;
    try {
      return worker.mark(this, operation).join() ? Optional.empty() : RELEASING;
    } catch (CompletionException e) {
      LOG.debug("No mark was made; the waiter is woken when marks can be made again", e);
      return Optional.of(CONTENDED);
    }
  }

  /** Takes both back, and does not wait for the server. */
  void end(Supplier<String> operation) {
    notifications.remove(key, signals);
    if (marks) {
      marks = false;
      unmarked = worker.unmark(this, operation);
    }
  }

  /** The mark has gone when this returns, or goes with its session. */
  void awaitEnd() {
    try {
      unmarked.join();
    } catch (CompletionException e) {
      LOG.debug("A mark goes with its session", e);
    }
  }

  /** For the worker. */
  void marked(PgConnection in) {
    session = in;
  }

  void unmarked() {
    session = null;
  }
}
