/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.ClientStatus;
import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one warning when the server stops answering a client, and one line when it answers again.
 * Of a server that comes and goes, at most one such pair in a minute. Counts all outages.
 */
final class OutageLog {

  private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final TimeSource time;
  private final String clientName;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean out;
  private boolean told;
  private boolean everTold;
  private long outSince;
  private long toldAt;
  private long outages;
  private long outageNanos;
  private long failedAt;

  OutageLog(TimeSource time, String clientName) {
    this.time = time;
    this.clientName = clientName;
  }

  /** A request has failed; a refusal is an answer all the same. */
  void failed(@Nullable LockException failure) {
    if (failure instanceof LockRejectedException) {
      answered();
    }
    if (!(failure instanceof LockUnavailableException)) {
      return;
    }
    boolean tell;
    lock.lock();
    try {
      long now = time.nanos();
      if (!out) {
        out = true;
        outSince = now;
        outages++;
      } else {
        outageNanos += now - failedAt;
      }
      failedAt = now;
      tell = !told && (!everTold || now - toldAt > PAUSE_NANOS);
      if (tell) {
        told = true;
        everTold = true;
        toldAt = now;
      }
    } finally {
      lock.unlock();
    }
    if (tell) {
      LOG.warn(
          "The lock server does not answer client '{}': {} Holdfast asks again until it does",
          clientName,
          sentence(failure));
    }
  }

  void answered() {
    if (!out) {
      return;
    }
    boolean tell;
    long lasted;
    lock.lock();
    try {
      tell = told;
      lasted = time.nanos() - outSince;
      told = false;
      out = false;
    } finally {
      lock.unlock();
    }
    if (tell) {
      LOG.info(
          "The lock server answers client '{}' again, after {}",
          clientName,
          TimeText.of(Duration.ofNanos(lasted)));
    }
  }

  /** With these locks. */
  ClientStatus status(List<LockStatus> locks) {
    lock.lock();
    try {
      return new ClientStatus(locks, outages, Duration.ofNanos(outageNanos));
    } finally {
      lock.unlock();
    }
  }

  private static String sentence(LockException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.endsWith(".") ? message : message + ".";
  }
}
