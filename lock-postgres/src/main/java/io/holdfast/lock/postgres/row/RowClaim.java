/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.transaction.LeasedConnection;
import io.holdfast.lock.postgres.transaction.RowTransaction;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.text.VisibleText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One contender for a row, and the transaction that holds it. Its steps are taken one after
 * another, on the backend's own threads.
 */
final class RowClaim implements LockClaim {

  private static final Logger LOG = LoggerFactory.getLogger(RowClaim.class);
  private final RowBackend backend;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private final String name;
  private final RowWait wait;
  private final ReentrantLock steps = new ReentrantLock();
  private final RowLooks looks = new RowLooks();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean asked;
  private volatile boolean releasing;
  private volatile @Nullable RowTransaction transaction;
  private volatile CompletableFuture<?> attempts = CompletableFuture.completedFuture(null);

  private volatile boolean broken;
  private @Nullable ReleaseAnswer released;

  RowClaim(RowBackend backend, ClaimRequest request, ClaimSignals signals, AdvisoryKey key) {
    this.backend = backend;
    this.request = request;
    this.signals = signals;
    this.name = EncodedName.of(request.lockName());
    this.wait = backend.waiting(key, signals);
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    asked = true;
    CompletableFuture<Void> over = new CompletableFuture<>();
    attempts = CompletableFuture.allOf(attempts, over);
    return backend
        .threads()
        .attempt(
            () -> {
              try {
                backend.ensureOpen();
                return ask();
              } finally {
                over.complete(null);
              }
            },
            this::acquiring);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return end(true);
  }

  @Override
  public CompletionStage<ReleaseAnswer> discard() {
    return end(false);
  }

  private CompletionStage<ReleaseAnswer> end(boolean keep) {
    releasing = true;
    ended.countDown();
    return asked
        ? backend.threads().ending(attempts, () -> leave(keep), this::releasing)
        : CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    RowTransaction held = transaction;
    if (type != Connection.class || held == null || releasing) {
      return Optional.empty();
    }
    Connection view =
        LeasedConnection.of(held, request.lockName(), () -> releasing, () -> judge(held));
    return Optional.of(type.cast(view));
  }

  /** The transaction that holds the row, if it does. */
  @Nullable RowTransaction transaction() {
    return transaction;
  }

  /** Tells a loss if the connection has ended. */
  void look() {
    looks.look(
        () -> {
          RowTransaction held = transaction;
          if (held != null && held.isCutOff()) {
            lost(held);
          }
        });
  }

  /**
   * After a call of the holder: if the transaction does not hold the row any more, the lease is not
   * valid when this returns, so before the holder learns what came of the call.
   */
  private void judge(RowTransaction held) {
    if (!releasing && (held.hasEnded() || (held.isDoubtful() && !backend.isOpen(held)))) {
      lost(held);
      awaitEnd();
    }
  }

  /** The engine takes a loss when it has done what it is at, which never takes long. */
  private void awaitEnd() {
    try {
      if (!ended.await(backend.patience().toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("The loss of lock '{}' has not been handled yet", visibleName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lost(RowTransaction held) {
    if (releasing || broken) {
      return;
    }
    steps.lock();
    try {
      if (held.equals(transaction) && !releasing && !broken) {
        signals.lost(LossReason.SESSION_ENDED);
      }
    } finally {
      steps.unlock();
    }
  }

  private Attempt ask() throws SQLException {
    steps.lock();
    try {
      if (releasing) {
        return RowWait.CONTENDED;
      }
      PgConnection session = backend.workerSession();
      RowTransaction before = earlier();
      RowTransaction held = before == null ? begun() : before;
      if (held == null && request.waits() && !wait.isMarkedIn(session)) {
        Optional<Attempt> unmarked = wait.mark(this::acquiring);
        if (unmarked.isPresent()) {
          return unmarked.get();
        }
        // A release before that has told nobody.
        held = begun();
      }
      if (held == null) {
        return RowWait.CONTENDED;
      }
      backend.holds(this);
      // If the worker's session ended before that, this connection was not looked at, and may have
      // ended as well.
      boolean proven = before == null && session != null && session == backend.workerSession();
      long token = proven && held.token() > 0 ? held.token() : prove(held);
      wait.end(this::acquiring);
      return new Attempt.Granted(token, backend.leaseTime());
    } finally {
      steps.unlock();
    }
  }

  /** The transaction in which an earlier attempt has locked the row, if it has. */
  private @Nullable RowTransaction earlier() {
    RowTransaction held = transaction;
    if (held != null && broken) {
      backend.endSession(held, this::releasing);
      transaction = null;
      broken = false;
    }
    return transaction;
  }

  private @Nullable RowTransaction begun() throws SQLException {
    // Before the server is asked: a message may be quicker than its answer.
    wait.listen();
    RowTransaction begun = backend.transactions().begin(name, this::doubtful).orElse(null);
    transaction = begun;
    broken = false;
    return begun;
  }

  private void doubtful(RowTransaction asking) {
    transaction = asking;
    broken = true;
  }

  /**
   * Draws a token elsewhere. The row is still ours after that, so nobody who has it later has a
   * smaller one; and ours since this attempt began, if an earlier one locked the row.
   */
  private long prove(RowTransaction held) throws SQLException {
    long token = backend.token(this::acquiring);
    try {
      backend.transactions().prove(held);
      return token;
    } catch (SQLException e) {
      broken = true;
      held.abort();
      throw e;
    }
  }

  private ReleaseAnswer leave(boolean keep) {
    steps.lock();
    try {
      wait.end(this::releasing);
      backend.leaves(this);
      ReleaseAnswer answer = released;
      if (answer == null) {
        answer = leaveOnce(keep);
        released = answer;
        transaction = null;
      }
      wait.awaitEnd();
      return answer;
    } finally {
      steps.unlock();
    }
  }

  private ReleaseAnswer leaveOnce(boolean keep) {
    RowTransaction held = transaction;
    if (held == null) {
      return ReleaseAnswer.NOT_OURS;
    }
    if (!broken
        && !held.endCalls(keep || looks.isUnderWay() ? backend.patience() : Duration.ZERO)) {
      // The holder is in the middle of a statement, whose answer nobody wants any more.
      broken = true;
      held.abort();
    }
    if (!broken) {
      try {
        boolean commits = keep && !held.hasFailed();
        if (commits) {
          backend.transactions().commit(held, wait.key());
        } else {
          backend.transactions().rollBack(held, wait.key());
        }
        return keep && !commits ? ReleaseAnswer.NOT_OURS : ReleaseAnswer.FREED;
      } catch (SQLException e) {
        LOG.debug("The transaction of lock '{}' could not be ended properly", visibleName(), e);
        broken = true;
        held.abort();
      }
    }
    // The outcome is not known; but the transaction has ended when its session has.
    backend.endSession(held, this::releasing);
    return ReleaseAnswer.NOT_OURS;
  }

  /** For the log. Messages of exceptions are escaped there. */
  private String visibleName() {
    return VisibleText.of(request.lockName());
  }

  private String acquiring() {
    return "Acquiring lock '" + request.lockName() + "'";
  }

  private String releasing() {
    return "Releasing lock '" + request.lockName() + "'";
  }
}
