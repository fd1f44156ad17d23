/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.spi.LockClaim;

/**
 * The promises of a backend, as facts that a program can ask for. The conformance kit checks both
 * that a promise holds, and that what is not promised is refused with a clear error.
 *
 * @param fencing whether leases carry a fencing token, and what its growth survives
 * @param lifetime what keeps a lease alive at the server
 * @param ordering in which order processes are served
 * @param wakeUp how a waiter learns of a release
 * @param expiryClock whose clock decides when a dead holder's lock is given away
 * @param scope whether a lock can be tied to a transaction of the caller
 * @param survival the death of which servers locks survive
 * @param inspection what can be asked about a lock, whichever client holds it
 * @param retention what keeps a name taken after its lease has ended
 * @param sharing what several owners may have of one name at a time
 */
public record Capabilities(
    Fencing fencing,
    Lifetime lifetime,
    Ordering ordering,
    WakeUp wakeUp,
    ExpiryClock expiryClock,
    Scope scope,
    Survival survival,
    Inspection inspection,
    Retention retention,
    Sharing sharing) {

  /** Whether tokens grow, and through what. */
  public enum Fencing {
    /** No tokens: {@code Lease.fencingToken()} throws {@link UnsupportedOperationException}. */
    NONE,
    /** Tokens grow as long as the server keeps its data; restarts and idle periods included. */
    WHILE_DATA_LASTS,
    /**
     * Tokens grow also when the server loses its data, as long as its clock does not go back by
     * more than the outage.
     */
    THROUGH_DATA_LOSS
  }

  /** The mechanism that keeps a lease alive at the server. */
  public enum Lifetime {
    /** A TTL for each lock, as asked for in the options. */
    TTL,
    /**
     * A session of the client; its time-out counts, and the TTL of the options only bounds a lease
     * of fixed time. When the session ends, all its leases are lost at once.
     */
    SESSION,
    /**
     * As {@link #SESSION}, but the session is one connection: when it is cut, the session has
     * ended, and cannot be resumed over another connection.
     */
    CONNECTION,
    /**
     * An open transaction. It ends with its connection, and nothing else ends it for a holder that
     * was cut off or suspended: the lease ends by the holder's own clock, and the lock is free when
     * the server finds the connection dead.
     */
    TRANSACTION
  }

  /** In which order processes that wait for one lock are served. */
  public enum Ordering {
    /** In the order in which they joined the queue at the server. */
    FIRST_COME_FIRST_SERVED,
    /** In no particular order; within one process, in the order of arrival. */
    UNORDERED
  }

  /** How a waiter learns of a release. */
  public enum WakeUp {
    /** By a message from the server; polling makes up for lost ones. */
    MESSAGE,
    /** By polling only. */
    POLLING
  }

  /** The clock that decides when a dead holder's lock is given away. */
  public enum ExpiryClock {
    /** The server's wall clock: a step of it can end a lease early. Only fencing protects then. */
    SERVER_WALL_CLOCK,
    /**
     * A monotonic clock of the server, or the end of a session: no lock expires by a wall clock. A
     * server may end a session as its wall clock steps ahead, where it counts silence by it
     * (PostgreSQL does); the holder is told then as of any end of its session.
     */
    SERVER_MONOTONIC
  }

  /** Whether a lock can be tied to a transaction of the caller. */
  public enum Scope {
    /** A lease stands for itself. */
    LEASE,
    /** A lease ends with a transaction at the same server. */
    TRANSACTION
  }

  /** The death of which servers locks survive. */
  public enum Survival {
    /**
     * None: the locks are at one server. While it is down no lock is granted, and a replica or
     * backup that takes its place may not know the locks that are held.
     */
    NOTHING,
    /**
     * Any minority: a majority of the servers keeps each lock, so one of three may die, or two of
     * five. It takes three servers at least.
     */
    MINORITY
  }

  /**
   * The facts about a held lock that a backend can tell, whichever client holds it. With each but
   * {@link #NONE}, held locks can be listed, and taken away from the holder that was reported.
   */
  public enum Inspection {
    /** Nothing: {@code LockClient.inspector()} throws {@link UnsupportedOperationException}. */
    NONE,
    /** The session at the server that has it, but not which lease of that session. */
    SESSION,
    /** The owner id of the lease. */
    OWNER,
    /** The owner id and the fencing token of the lease. */
    OWNER_AND_TOKEN
  }

  /**
   * How a name is kept taken after its lease has ended, for a minimum hold or a lock delay ({@link
   * io.holdfast.lock.HoldTimes}). A request for a lock is refused if the backend cannot keep the
   * name for it.
   */
  public enum Retention {
    /**
     * The server, for a time that the client names when it releases ({@link
     * LockClaim#release(java.time.Duration)}): also if the client is closed or dies then. This
     * needs a TTL for each lock ({@link Lifetime#TTL}). Minimum hold and lock delay.
     */
    SERVER,
    /** The client, which goes on holding for as long as it is open. Minimum hold, no lock delay. */
    CLIENT,
    /** Nothing, because a lease ends with its transaction. Neither of the two. */
    NONE
  }

  /**
   * Whether a name can have several owners at a time. A request for what a backend does not promise
   * is refused.
   */
  public enum Sharing {
    /** Nothing: each name is a lock of one owner. */
    NONE,
    /** Read-write locks: many readers, or one writer. */
    READ_WRITE,
    /**
     * Read-write locks, and semaphores: permits of a capacity, which cannot be changed while
     * somebody holds or waits.
     */
    FIXED_PERMITS,
    /** Read-write locks, and semaphores, whose capacity can be changed at any time. */
    PERMITS;

    /**
     * Whether there are semaphores of more than one permit.
     *
     * @return true for both kinds of permits
     */
    public boolean hasSemaphores() {
      return this == FIXED_PERMITS || this == PERMITS;
    }
  }
}
