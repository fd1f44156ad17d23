/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
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
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  private final RowBackend backend;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private final AdvisoryKey key;
  private final String name;
  private final ReentrantLock steps = new ReentrantLock();
  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean asked;
  private volatile boolean releasing;
  private volatile @Nullable RowTransaction transaction;
  private volatile CompletableFuture<?> attempts = CompletableFuture.completedFuture(null);

  private long token;
  private volatile boolean broken;
  private @Nullable ReleaseAnswer released;

  RowClaim(RowBackend backend, ClaimRequest request, ClaimSignals signals, AdvisoryKey key) {
    this.backend = backend;
    this.request = request;
    this.signals = signals;
    this.key = key;
    this.name = EncodedName.of(request.lockName());
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

  /**
   * Tells a loss if the connection has ended. Waits behind what the holder does there, but not
   * behind another look: that one looks again.
   */
  void look() {
    if (looks.getAndIncrement() > 0) {
      return;
    }
    int seen;
    do {
      seen = looks.get();
      RowTransaction held = transaction;
      if (held != null && held.isCutOff()) {
        lost(held);
      }
    } while (!looks.compareAndSet(seen, 0));
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
        return CONTENDED;
      }
      RowTransaction held = begun();
      if (held == null) {
        return CONTENDED;
      }
      backend.holds(this);
      if (token == 0) {
        token = backend.token(this::acquiring);
      }
      prove(held);
      backend.notifications().remove(key, signals);
      return new Attempt.Granted(token, backend.leaseTime());
    } finally {
      steps.unlock();
    }
  }

  private @Nullable RowTransaction begun() throws SQLException {
    RowTransaction held = transaction;
    if (held != null && broken) {
      gone(held);
      held = null;
      token = 0;
      broken = false;
    }
    if (held == null) {
      // Before the server is asked: a message may be quicker than its answer.
      backend.notifications().add(key, signals);
      held = backend.transactions().begin(name, this::doubtful).orElse(null);
      transaction = held;
      broken = false;
    }
    return held;
  }

  private void doubtful(RowTransaction asking) {
    transaction = asking;
    broken = true;
  }

  /**
   * The row is still ours after the token was drawn, so nobody who has it later has a smaller one;
   * and ours since this attempt began, if an earlier one locked the row.
   */
  private void prove(RowTransaction held) throws SQLException {
    try {
      backend.transactions().prove(held);
    } catch (SQLException e) {
      broken = true;
      held.abort();
      throw e;
    }
  }

  private ReleaseAnswer leave(boolean keep) {
    steps.lock();
    try {
      backend.notifications().remove(key, signals);
      backend.leaves(this);
      ReleaseAnswer answer = released;
      if (answer == null) {
        answer = leaveOnce(keep);
        released = answer;
        transaction = null;
      }
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
    if (!broken && !held.endCalls(keep || looks.get() > 0 ? backend.patience() : Duration.ZERO)) {
      // The holder is in the middle of a statement, whose answer nobody wants any more.
      broken = true;
      held.abort();
    }
    if (!broken) {
      try {
        boolean commits = keep && !held.hasFailed();
        if (commits) {
          backend.transactions().commit(held, key);
        } else {
          backend.transactions().rollBack(held, key);
        }
        return keep && !commits ? ReleaseAnswer.NOT_OURS : ReleaseAnswer.FREED;
      } catch (SQLException e) {
        LOG.debug("The transaction of lock '{}' could not be ended properly", visibleName(), e);
        broken = true;
        held.abort();
      }
    }
    return gone(held);
  }

  /** What came of the end is not known; but it has ended when its session has. */
  private ReleaseAnswer gone(RowTransaction held) {
    if (!backend.isGone(held, this::releasing)) {
      throw new LockUnavailableException(
          releasing() + ": the server has not ended its transaction yet");
    }
    return ReleaseAnswer.NOT_OURS;
  }

  /** For the log. What an exception says is escaped there. */
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
