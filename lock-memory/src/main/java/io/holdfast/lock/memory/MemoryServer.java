/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A lock server in memory. Clients opened from one server share its locks; each has a line of its
 * own to it, on which requests keep their order, as on a connection. Thread-safe.
 *
 * <p>For tests of code that uses locks: {@link #revoke} takes a lock away now, {@link
 * #delayAnswers} and {@link #delayRequests} make the line slow, {@link #goAway} cuts it, and with a
 * {@link ManualTime} all of it is deterministic.
 */
public final class MemoryServer implements AutoCloseable {

  static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, LockEntry> entries = new TreeMap<>();
  private final TimeSource time;
  private final boolean handDriven;
  private final Duration operationTimeout;
  private long lastToken;
  private volatile Faults faults = Faults.NONE;

  /** On the host's clock. */
  public MemoryServer() {
    this(OPERATION_TIMEOUT);
  }

  /**
   * On a clock that is driven by hand, as all clients of this server then are.
   *
   * @param time the clock
   */
  public MemoryServer(ManualTime time) {
    this.time = time;
    this.handDriven = true;
    this.operationTimeout = OPERATION_TIMEOUT;
  }

  MemoryServer(Duration operationTimeout) {
    this.time = TimeSource.host();
    this.handDriven = false;
    this.operationTimeout = operationTimeout;
  }

  /**
   * Opens a client.
   *
   * @return an open client, to be closed by the caller
   */
  public LockClient open() {
    return open(ClientOptions.defaults());
  }

  /**
   * Opens a client.
   *
   * @param options the clock in them is replaced if this server has one that is driven by hand
   * @return an open client, to be closed by the caller
   */
  public LockClient open(ClientOptions options) {
    return Locks.using(backend(), handDriven ? options.withTime(time) : options);
  }

  /**
   * A line to this server, for an engine.
   *
   * @return an open backend
   */
  public LockBackend<?> backend() {
    return new MemoryBackend(this, time, operationTimeout, () -> {});
  }

  /** The only line to this server, which is closed with it. */
  LockBackend<?> onlyBackend() {
    return new MemoryBackend(this, time, operationTimeout, this::close);
  }

  /**
   * The owners of held locks; of a name that several hold, the first of them.
   *
   * @return owner ids by lock name
   */
  public Map<String, String> owners() {
    Map<String, String> owners = new TreeMap<>();
    lock.lock();
    try {
      entries.forEach(
          (name, entry) -> {
            if (entry.isHeld(time.nanos())) {
              owners.put(name, entry.owner);
            } else if (entry.shares.isInUse(time.nanos())) {
              List<Shares.Grant> grants = entry.shares.grants(time.nanos());
              if (!grants.isEmpty()) {
                owners.put(name, grants.get(0).ownerId);
              }
            }
          });
      return owners;
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many acquisitions are known to wait.
   *
   * @return all locks together
   */
  public int waiters() {
    lock.lock();
    try {
      return entries.values().stream()
          .mapToInt(entry -> entry.waiters.size() + entry.shares.waiters())
          .sum();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Deletes a lock, as an administrator would. Its holder is told by its next renewal.
   *
   * @param lockName the lock
   * @return whether it was held
   */
  public boolean revoke(String lockName) {
    lock.lock();
    try {
      LockEntry entry = entries.get(lockName);
      if (entry == null) {
        return false;
      }
      long now = time.nanos();
      boolean held = entry.isHeld(now) || !entry.shares.grants(now).isEmpty();
      entry.owner = "";
      entry.shares.clear();
      removeIfUnused(lockName, entry);
      return held;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all locks, as a restart without data would; tokens go on growing. */
  public void forget() {
    lock.lock();
    try {
      entries.values().forEach(entry -> entry.owner = "");
      entries.values().forEach(entry -> entry.shares.clear());
      entries.values().removeIf(entry -> entry.waiters.isEmpty());
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on every request is carried out at once, and answered late.
   *
   * @param by zero ends it; an answer that is later than the operation time-out is none
   */
  public void delayAnswers(Duration by) {
    faults = faults.withAnswers(by);
  }

  /**
   * From now on every request arrives late, possibly after its sender has given up.
   *
   * @param by zero ends it
   */
  public void delayRequests(Duration by) {
    faults = faults.withRequests(by);
  }

  /** From now on every request fails at once, and is not carried out. */
  public void goAway() {
    faults = faults.withAway(true);
  }

  /** Ends {@link #goAway}. */
  public void comeBack() {
    faults = faults.withAway(false);
  }

  /**
   * Ends the timer thread of a server on the host's clock; a clock that is driven by hand stays.
   * Close the clients before: delayed requests and answers do not arrive any more.
   */
  @Override
  public void close() {
    if (!handDriven) {
      time.close();
    }
  }

  Faults faults() {
    return faults;
  }

  /** Runs a step with the entry of a lock, alone. */
  <T> T with(String lockName, Function<LockEntry, T> step) {
    lock.lock();
    try {
      LockEntry entry = entries.computeIfAbsent(lockName, name -> new LockEntry());
      T result = step.apply(entry);
      removeIfUnused(lockName, entry);
      return result;
    } finally {
      lock.unlock();
    }
  }

  private void removeIfUnused(String lockName, LockEntry entry) {
    if (entry.isUnused(time.nanos())) {
      entries.remove(lockName);
    }
  }

  /** Within {@link #with}. */
  long nextToken() {
    return ++lastToken;
  }

  /** The faults of the lines to this server. */
  record Faults(Duration answers, Duration requests, boolean away) {

    static final Faults NONE = new Faults(Duration.ZERO, Duration.ZERO, false);

    Faults withAnswers(Duration by) {
      return new Faults(by, requests, away);
    }

    Faults withRequests(Duration by) {
      return new Faults(answers, by, away);
    }

    boolean isNone() {
      return equals(NONE);
    }

    Faults withAway(boolean gone) {
      return new Faults(answers, requests, gone);
    }
  }
}
