/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * A process that may run only while a lease is valid. It is told to end ahead of the end of
 * validity, and killed at it, or shortly after a loss that nothing announced. So are the processes
 * that it started, and theirs, also after their parent has ended. One that was started and lost its
 * parent between two looks is not found.
 */
final class GuardedProcess {

  private static final String BACKEND_SETTINGS = "HOLDFAST_BACKEND_";

  /** Those of another lease, if this process runs under one itself. */
  private static final Pattern OF_A_LEASE = Pattern.compile("HOLDFAST_(?:LOCK|TOKEN)(?:_\\d+)?");

  /** Each look reads the table of processes, so there are few. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LOOK_AT_END_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The longest time between the loss and KILL for a process that is told of it. */
  private static final Duration AFTER_A_LOSS = Duration.ofSeconds(1);

  private final Process process;
  private final Lease lease;
  private final Duration grace;

  /**
   * The process and what it started, as far as it lives; parents come first. The system gives a
   * process whose parent has ended another parent, so it can only be found before that.
   */
  private final Set<ProcessHandle> seen = new CopyOnWriteArraySet<>();

  private volatile boolean signalled;

  private GuardedProcess(Process process, Lease lease, Duration grace) {
    this.process = process;
    this.lease = lease;
    this.grace = grace;
    seen.add(process.toHandle());
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
   * Waits for the end of the process, and brings it about where the lease ends before. Where it
   * ends after a signal, what it started has ended as well when this returns. Otherwise what it
   * left in the background goes on.
   *
   * @return its exit code; empty if the lease did not last until its end
   */
  OptionalInt await() throws InterruptedException {
    boolean unasked = false;
    try {
      boolean inTime = endsBeforeTheLease();
      if (!inTime) {
        askToEnd();
      }
      boolean asked = !inTime || signalled;
      if (asked) {
        awaitEndOfAll(timeToEnd());
      }
      boolean held = inTime && lease.isValid();
      unasked = held && !asked;
      return held ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    } finally {
      if (!unasked) {
        look();
        seen.forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  /** Asks the process and what it started to end, as a signal to this one does. */
  void terminate() {
    signalled = true;
    askToEnd();
  }

  private boolean endsBeforeTheLease() throws InterruptedException {
    CompletableFuture<Object> either =
        CompletableFuture.anyOf(process.onExit(), lease.loss().copy());
    while (process.isAlive()) {
      look();
      long left = lease.remaining().minus(grace).toNanos();
      if (left <= 0) {
        return false;
      }
      try {
        either.get(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        // It is time for a look, or the lease was renewed meanwhile, or it ends.
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return true;
  }

  private void askToEnd() {
    look();
    seen.forEach(ProcessHandle::destroy);
  }

  /** None of it is beyond the lease, unless that is over already: then it is short. */
  private Duration timeToEnd() {
    Duration left = lease.remaining();
    Duration limit = left.isZero() ? AFTER_A_LOSS : left;
    return limit.compareTo(grace) < 0 ? limit : grace;
  }

  /** At most for so long; not for longer than the lease, if it is valid when this begins. */
  private void awaitEndOfAll(Duration limit) throws InterruptedException {
    boolean valid = lease.isValid();
    long begin = System.nanoTime();
    CountDownLatch pause = new CountDownLatch(1);
    for (look(); !seen.isEmpty() && lease.isValid() == valid; look()) {
      long left = limit.toNanos() - (System.nanoTime() - begin);
      if (left <= 0 || pause.await(Math.min(left, LOOK_AT_END_NANOS), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }

  /** From any thread: adds what those that are known have started, and forgets what has ended. */
  private void look() {
    seen.removeIf(known -> !known.isAlive());
    Set<ProcessHandle> below = new LinkedHashSet<>();
    for (ProcessHandle known : seen) {
      // Otherwise the look at its parent has found what it started.
      if (!below.contains(known)) {
        known.descendants().forEach(below::add);
      }
    }
    seen.addAll(below);
  }
}
