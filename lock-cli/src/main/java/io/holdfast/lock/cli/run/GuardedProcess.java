/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process that may run only while a lease is valid. It is told to end ahead of the end of
 * validity, and killed at it; what it started goes with it.
 */
final class GuardedProcess {

  private static final String BACKEND_SETTINGS = "HOLDFAST_BACKEND_";

  /** Those of another lease, if this process runs under one itself. */
  private static final Pattern OF_A_LEASE = Pattern.compile("HOLDFAST_(?:LOCK|TOKEN)(?:_\\d+)?");

  private final Process process;
  private final Lease lease;
  private final Duration grace;

  private GuardedProcess(Process process, Lease lease, Duration grace) {
    this.process = process;
    this.lease = lease;
    this.grace = grace;
  }

  /**
   * Starts the command with this process' standard streams, and with the lease in its environment.
   * The settings of backends are taken out of it: a password may be among them, or in an address.
   *
   * @param locks of the lease, as the user has listed them
   * @throws IOException if there is no such program
   */
  static GuardedProcess start(List<String> command, Lease lease, List<String> locks, Duration grace)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(name -> name.toUpperCase(Locale.ROOT).startsWith(BACKEND_SETTINGS));
    environment.keySet().removeIf(OF_A_LEASE.asMatchPredicate());
    if (lease.lockNames().size() == 1) {
      environment.put("HOLDFAST_LOCK", lease.lockName());
      environment.put("HOLDFAST_TOKEN", Long.toString(lease.fencingToken()));
    } else {
      for (int i = 0; i < locks.size(); i++) {
        String lock = locks.get(i);
        environment.put("HOLDFAST_LOCK_" + (i + 1), lock);
        environment.put("HOLDFAST_TOKEN_" + (i + 1), Long.toString(lease.fencingToken(lock)));
      }
    }
    environment.put("HOLDFAST_OWNER", lease.ownerId());
    return new GuardedProcess(builder.start(), lease, grace);
  }

  /**
   * Waits for the end of the process, and brings it about where the lease ends before.
   *
   * @return its exit code; empty if the lease did not last until its end
   */
  OptionalInt await() throws InterruptedException {
    try {
      boolean inTime = endsBeforeTheLease();
      if (!inTime) {
        end();
      }
      return inTime && lease.isValid() ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    } finally {
      // Nothing of it may outlive the lease, however we got here.
      all().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Asks the process to end, as a signal to this one does. */
  void terminate() {
    process.destroy();
  }

  private boolean endsBeforeTheLease() throws InterruptedException {
    CompletableFuture<Object> either =
        CompletableFuture.anyOf(process.onExit(), lease.loss().copy());
    while (process.isAlive()) {
      long left = lease.remaining().minus(grace).toNanos();
      if (left <= 0) {
        return false;
      }
      try {
        either.get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        // The lease was renewed meanwhile, or it ends.
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return true;
  }

  private void end() throws InterruptedException {
    all().forEach(ProcessHandle::destroy);
    process.waitFor(grace.toNanos(), TimeUnit.NANOSECONDS);
  }

  private Stream<ProcessHandle> all() {
    return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
  }
}
