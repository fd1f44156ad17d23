/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.session.RequestQueue.Item;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.spi.support.DoublingPause;
import io.holdfast.lock.spi.support.TimeLimit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection, the one thread that uses it, and a queue of requests. While a statement is under
 * way, requests gather; those of one kind then go out as one statement. So do those that are made
 * {@linkplain Batcher#together together}, whatever else gathers.
 *
 * <p>While there is nothing to do, the thread looks every {@value #GLANCE_MILLIS} ms whether the
 * server has hung up, and asks something now and then, so that the session lives. A connection that
 * has failed is made anew at once, and again with growing pauses; requests that come while there is
 * none fail.
 */
public final class ConnectionWorker {

  /** What is done with requests of a kind, on the worker's thread. */
  public interface Statement<Q, A> {

    /**
     * Carries requests out and answers them; those without an answer afterwards fail.
     *
     * @throws SQLException fails those without an answer; and ends the session if it is of the
     *     connection
     */
    void carryOut(PgConnection pg, List<PendingRequest<Q, A>> asked) throws SQLException;
  }

  /**
   * Requests that go out together. Equal only to itself.
   *
   * @param <Q> what is asked
   * @param <A> what is answered
   */
  public static final class Kind<Q, A> {
    final int order;
    final Statement<Q, A> statement;

    private Kind(int order, Statement<Q, A> statement) {
      this.order = order;
      this.statement = statement;
    }
  }

  /**
   * A kind of requests.
   *
   * @param order the smaller, the earlier among requests that have gathered
   */
  public static <Q, A> Kind<Q, A> kind(int order, Statement<Q, A> statement) {
    return new Kind<>(order, statement);
  }

  /** What happens to the session. Everything runs on the worker's thread. */
  public interface Owner {

    /** A connection that works; throws if it is not to be used. */
    void opened(PgConnection pg) throws SQLException;

    /** A session has ended, or is given up. */
    void lost(PgConnection pg);

    /** It could not be had again yet; it is tried again. */
    default void refused() {}

    /** Now and then, when there is nothing else to do. */
    void idle(PgConnection pg) throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWorker.class);
  private static final int GLANCE_MILLIS = 50;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ConnectionFactory connector;
  private final Owner owner;
  private final Duration patience;
  private final Duration timeout;
  private final TimeLimit limit;
  private final long silenceNanos;
  private final Thread thread;

  private final RequestQueue queue = new RequestQueue();
  private final Consumer<List<Item<?, ?>>> enqueue = this::enqueue;
  private final AtomicReference<@Nullable PgConnection> current = new AtomicReference<>();

  /** One that is being set up, which may take longer than a request. */
  private final AtomicReference<@Nullable PgConnection> opening = new AtomicReference<>();

  private volatile boolean closed;

  private long askedAt;
  private long connectedAt;
  private Duration pause = FIRST_PAUSE;
  private long notBefore = System.nanoTime();
  private Throwable lastFailure = new LockUnavailableException("there is no connection yet");

  private ConnectionWorker(
      ConnectionFactory connector, Duration patience, String name, Owner owner) {
    this.connector = connector;
    this.patience = patience;
    this.owner = owner;
    this.timeout = connector.config().commandTimeout();
    this.limit = new TimeLimit(timeout);
    this.silenceNanos = connector.config().sessionTimeout().dividedBy(4).toNanos();
    this.thread = new Thread(this::run, "holdfast-postgres-" + name);
    thread.setDaemon(true);
  }

  /**
   * Connects, and starts the thread.
   *
   * @param patience how long an answer is waited for, before the connection is given up
   * @throws LockException if there is no connection to be had
   */
  public static ConnectionWorker open(
      ConnectionFactory connector, Duration patience, String name, Owner owner) {
    ConnectionWorker worker = new ConnectionWorker(connector, patience, name, owner);
    try {
      worker.connect();
    } catch (SQLException e) {
      throw PgFailures.typed("Connecting to " + connector.config().source().describe(), e);
    }
    worker.thread.start();
    return worker;
  }

  /**
   * Asks. The answer comes on the worker's thread, or after the command time-out as a failure; the
   * request may then still be carried out.
   *
   * @param operation what is tried, for messages
   */
  public <Q, A> CompletableFuture<A> ask(Kind<Q, A> kind, Q request, Supplier<String> operation) {
    PendingRequest<Q, A> asked = new PendingRequest<>(request);
    Batcher.pass(enqueue, new Item<>(kind, asked));
    return limit.on(asked.answer(), failure -> PgFailures.typed(operation.get(), failure));
  }

  private void enqueue(List<Item<?, ?>> together) {
    queue.add(together);
    if (closed) {
      queue.failAll(new LockUnavailableException("the lock client is closed"));
    }
  }

  /** Ends the session in good order, in so far as the server answers in time. */
  public void close() {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    try {
      thread.join(timeout.toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (thread.isAlive()) {
      abort(current.get());
      abort(opening.get());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void abort(@Nullable PgConnection pg) {
    if (pg != null) {
      pg.abort();
    }
  }

  private void run() {
    while (!closed) {
      try {
        PgConnection pg = current.get();
        if (pg == null) {
          reconnect();
        } else {
          serve(pg);
        }
      } catch (InterruptedException e) {
        LOG.debug("This thread was interrupted; it is only interrupted to close it", e);
      }
    }
    PgConnection last = current.get();
    if (last != null) {
      last.close();
    }
    queue.failAll(new LockUnavailableException("the lock client is closed"));
  }

  private void serve(PgConnection pg) throws InterruptedException {
    try {
      List<Item<?, ?>> gathered = queue.await(Duration.ofMillis(GLANCE_MILLIS));
      if (!gathered.isEmpty()) {
        carryOut(pg, gathered);
      } else if (System.nanoTime() - askedAt > silenceNanos) {
        askedAt = System.nanoTime();
        pg.ask();
        owner.idle(pg);
      } else {
        pg.glance();
      }
    } catch (SQLException e) {
      if (PgFailures.endsConnection(e)) {
        giveUp(pg, e);
      } else {
        LOG.debug("PostgreSQL refused an internal statement", e);
      }
    } catch (RuntimeException | Error e) {
      // Without this thread every lock of the client would be lost, and none could be had again.
      LOG.error("A step of the PostgreSQL backend failed; please report this", e);
      giveUp(pg, e);
    }
  }

  private void carryOut(PgConnection pg, List<Item<?, ?>> gathered) throws SQLException {
    gathered.sort(Comparator.comparingInt(item -> item.kind().order));
    int from = 0;
    try {
      while (from < gathered.size()) {
        int to = from + 1;
        while (to < gathered.size() && gathered.get(to).kind() == gathered.get(from).kind()) {
          to++;
        }
        List<Item<?, ?>> alike = gathered.subList(from, to);
        from = to;
        askedAt = System.nanoTime();
        Item.carryOut(pg, alike);
      }
    } finally {
      Item.failAll(
          gathered.subList(from, gathered.size()),
          new LockUnavailableException("the connection to PostgreSQL was lost"));
    }
  }

  private void giveUp(PgConnection pg, Throwable failure) {
    LOG.debug("The session {} has ended", pg.identity(), failure);
    current.set(null);
    // Before the session can have ended, and others be given its locks.
    tell(() -> owner.lost(pg));
    if (failure instanceof SQLException sql && PgConnection.isOthers(sql)) {
      pg.endSession();
    }
    pg.abort();
    lastFailure = failure;
    // One that ended soon counts as a failed try, or a server that ends each would be stormed.
    if (System.nanoTime() - connectedAt > LONGEST_PAUSE.toNanos()) {
      pause = FIRST_PAUSE;
      notBefore = System.nanoTime();
    } else {
      pauseLonger();
    }
  }

  /** Whatever becomes of it there, this thread goes on. */
  private static void tell(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A step of the PostgreSQL backend failed; please report this", e);
    }
  }

  private void reconnect() throws InterruptedException {
    long wait = notBefore - System.nanoTime();
    if (wait > 0) {
      List<Item<?, ?>> refused = queue.await(Duration.ofNanos(wait));
      if (!refused.isEmpty()) {
        Item.failAll(refused, lastFailure);
        queue.failAll(lastFailure);
      }
      return;
    }
    try {
      connect();
    } catch (SQLException | RuntimeException | Error e) {
      lastFailure = e;
      LOG.debug("Not connected", e);
      pauseLonger();
      tell(owner::refused);
    }
  }

  private void pauseLonger() {
    notBefore = System.nanoTime() + pause.toNanos();
    pause = DoublingPause.after(pause, LONGEST_PAUSE);
  }

  private void connect() throws SQLException {
    askedAt = System.nanoTime();
    PgConnection pg = connector.openSession(patience);
    opening.set(pg);
    try {
      if (closed) {
        // A connection that was lent goes back as it came.
        pg.close();
        throw new LockUnavailableException("the lock client is closed");
      }
      owner.opened(pg);
    } catch (SQLException | RuntimeException | Error e) {
      pg.abort();
      throw e;
    } finally {
      opening.set(null);
    }
    connectedAt = System.nanoTime();
    current.set(pg);
  }
}
