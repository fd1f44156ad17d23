/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.LockException;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.support.DoublingPause;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the channel of a namespace, over one connection and on one thread, and wakes those who
 * wait for the key that was told. A release may name one client after the key, by the slot of its
 * session (see {@code advisory/release.sql}): that one is woken, and others are told that it goes
 * first. When the connection had to be made anew, everybody is woken, as messages may have been
 * missed.
 */
public final class NotificationListener {

  private static final Logger LOG = LoggerFactory.getLogger(NotificationListener.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private static final int LENT_MILLIS = 100;

  /** As in the statements that mark and release. */
  private static final int SLOTS = 127;

  private final ConnectionFactory connector;
  private final String channel;
  private final int listenMillis;
  private final long askNanos;
  private final Waiters waiting = new Waiters();
  private final AtomicReference<@Nullable PgConnection> current = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "holdfast-postgres-wakeups");
  private volatile String slot = "";
  private volatile boolean closed;
  private long askedAt = System.nanoTime();
  private long connectedAt;

  private NotificationListener(ConnectionFactory connector, String channel) {
    this.connector = connector;
    this.channel = channel;
    int askMillis = Math.toIntExact(connector.config().sessionTimeout().toMillis() / 3);
    this.askNanos = TimeUnit.MILLISECONDS.toNanos(askMillis);
    // Who listens can only be disturbed by the end of the connection.
    this.listenMillis =
        connector.config().source().lends() ? Math.min(askMillis, LENT_MILLIS) : askMillis;
    thread.setDaemon(true);
  }

  /**
   * Connects, listens, and starts the thread.
   *
   * @throws LockException if there is no connection to be had
   */
  public static NotificationListener open(ConnectionFactory connector, String channel) {
    NotificationListener notifications = new NotificationListener(connector, channel);
    try {
      notifications.connect();
    } catch (SQLException e) {
      throw PgFailures.typed("Connecting to " + connector.config().source().describe(), e);
    }
    notifications.thread.start();
    return notifications;
  }

  /** A channel's name for a kind of locks in a schema and a namespace. */
  public static String channel(String kind, Schema schema, String namespace) {
    return "holdfast_" + Long.toHexString(AdvisoryKey.of(kind, schema.name(), namespace).value());
  }

  /** By which session this client asks for locks from now on. */
  public void nameIs(PgConnection.Identity session) {
    slot = Integer.toString(session.process() % SLOTS + 1);
  }

  public void add(AdvisoryKey key, ClaimSignals waiter) {
    waiting.add(key.payload(), waiter);
  }

  public void remove(AdvisoryKey key, ClaimSignals waiter) {
    waiting.remove(key.payload(), waiter);
  }

  /** Wakes those in this client who wait for a key. */
  public void tell(String payload) {
    waiting.wake(payload);
  }

  /** Wakes all who wait: messages may have been missed, or not been sent. */
  public void wakeAll() {
    waiting.wakeAll();
  }

  /** A connection that is ours is ended at once, and one that was lent goes back in good order. */
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    PgConnection listening = current.get();
    if (listening != null && !connector.config().source().lends()) {
      listening.abort();
    }
    boolean interrupted = false;
    try {
      thread.join(connector.config().commandTimeout().toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    PgConnection pg = current.get();
    if (thread.isAlive() && pg != null) {
      pg.abort();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    while (!closed) {
      try {
        PgConnection pg = current.get();
        if (pg == null) {
          connect();
          wakeAll();
        } else {
          listen(pg);
        }
      } catch (SQLException | RuntimeException | Error e) {
        // Without this thread no message would reach those who wait any more.
        LOG.debug("Not listening for wake-ups", e);
        PgConnection broken = current.getAndSet(null);
        if (broken != null) {
          broken.abort();
          // One that ended soon counts as a failed try, or a server that ends each would be
          // stormed.
          if (System.nanoTime() - connectedAt > LONGEST_PAUSE.toNanos()) {
            pause = FIRST_PAUSE;
          }
        }
        if (!closed) {
          LockSupport.parkNanos(pause.toNanos());
        }
        pause = DoublingPause.after(pause, LONGEST_PAUSE);
      }
    }
    PgConnection last = current.get();
    if (last != null && connector.config().source().lends()) {
      last.close();
    } else if (last != null) {
      last.abort();
    }
  }

  private void listen(PgConnection pg) throws SQLException {
    PGNotification[] heard = pg.listen(listenMillis);
    for (PGNotification message : heard) {
      heard(message.getParameter());
    }
    if (heard.length > 0) {
      askedAt = System.nanoTime();
    } else if (System.nanoTime() - askedAt >= askNanos) {
      askedAt = System.nanoTime();
      pg.ask();
    }
  }

  private void heard(String message) {
    int blank = message.indexOf(' ');
    if (blank < 0) {
      tell(message);
    } else if (message.substring(blank + 1).equals(slot)) {
      tell(message.substring(0, blank));
    } else {
      waiting.othersFirst(message.substring(0, blank));
    }
  }

  private void connect() throws SQLException {
    PgConnection pg = connector.openIdle();
    try {
      pg.execute("LISTEN " + channel);
    } catch (SQLException | RuntimeException | Error e) {
      pg.abort();
      throw e;
    }
    connectedAt = System.nanoTime();
    current.set(pg);
  }
}
