/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.tck.history.Answer;
import io.holdfast.lock.tck.history.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Uses a lease in a thread: looks, writes, waits, and gives it back. */
final class LeaseUse {

  private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();
  private static final long LONG_HOLD_NANOS = Duration.ofMillis(100).toNanos();

  private final Lease lease;
  private final Attempts attempts;
  private final Workload workload;
  private final ProcessLog log;
  private final List<Resource> resources;
  private final Random random;
  private final BooleanSupplier ended;
  private final boolean fenced;
  private final long begun;

  /**
   * Begins.
   *
   * @param grantedAt read when the call that granted had returned
   * @param ended whether to come to an end, however long it was to be held
   */
  LeaseUse(
      Lease lease,
      Attempts attempts,
      long grantedAt,
      boolean fenced,
      Workload workload,
      ProcessLog log,
      List<Resource> resources,
      Random random,
      BooleanSupplier ended) {
    this.lease = lease;
    this.attempts = attempts;
    this.workload = workload;
    this.log = log;
    this.resources = resources;
    this.random = random;
    this.ended = ended;
    this.fenced = fenced;
    this.begun = grantedAt;
    Duration remaining = lease.remaining();
    Iterator<String> owners = List.of(lease.ownerId().split(", ", -1)).iterator();
    attempts.each(
        (name, attempt) ->
            log.write(
                new Event.Granted(
                    grantedAt,
                    log.process(),
                    attempt,
                    name,
                    owners.next(),
                    token(name),
                    remaining)));
    lease.onLoss(
        loss -> {
          long at = System.nanoTime();
          attempts.each(
              (name, attempt) ->
                  log.write(new Event.Lost(at, log.process(), attempt, loss.reason())));
        });
  }

  /**
   * Uses the lease, and gives it back; one of fixed time may also be left to itself. A reader is
   * not, because the thread would be refused as a writer while it lasts.
   */
  void hold(boolean fixed) {
    use();
    boolean reads = lease.share().mode() == Share.Mode.READ;
    if (fixed && !reads && workload.isForgotten(random)) {
      return;
    }
    ReleaseOutcome outcome = random.nextBoolean() ? lease.release() : lease.releaseAsync().join();
    long at = System.nanoTime();
    attempts.each(
        (name, attempt) -> log.write(new Event.Released(at, log.process(), attempt, outcome)));
  }

  /** Uses the lease for some time, or until it is not valid any more, or all come to their end. */
  void use() {
    long length = workload.length().nanos(random);
    long step = length > LONG_HOLD_NANOS ? workload.look().toNanos() : STEP_NANOS;
    while (isValid()) {
      if (!resources.isEmpty() && random.nextInt(4) == 0) {
        readAndWrite(resources.get(random.nextInt(resources.size())));
      } else if (random.nextInt(20) == 0) {
        extend();
      }
      if (System.nanoTime() - begun > length || ended.getAsBoolean()) {
        isValid();
        return;
      }
      LockSupport.parkNanos((long) (random.nextDouble() * step));
    }
  }

  private boolean isValid() {
    long before = System.nanoTime();
    if (lease.isValid()) {
      attempts.each(
          (name, attempt) -> log.write(new Event.Believed(before, log.process(), attempt)));
      return true;
    }
    long after = System.nanoTime();
    attempts.each((name, attempt) -> log.write(new Event.Doubted(after, log.process(), attempt)));
    return false;
  }

  private void readAndWrite(Resource resource) {
    String lock = attempts.wanted().any(random);
    long attempt = attempts.of(lock);
    String name = resource.name(lock);
    long sent = resource.isFenced() ? token(lock) : 0;
    log.write(new Event.Writing(System.nanoTime(), log.process(), attempt, name, sent));
    try {
      long value = resource.read(lock, sent);
      LockSupport.parkNanos((long) (random.nextDouble() * STEP_NANOS));
      resource.write(lock, sent, value + 1);
      wrote(attempt, name, sent, Answer.ACCEPTED, value, value + 1);
    } catch (StaleTokenException e) {
      wrote(attempt, name, sent, Answer.REFUSED, 0, 0);
    } catch (IOException e) {
      wrote(attempt, name, sent, Answer.UNKNOWN, 0, 0);
    }
  }

  private void wrote(long attempt, String name, long sent, Answer answer, long value, long next) {
    log.write(
        new Event.Wrote(
            System.nanoTime(), log.process(), attempt, name, sent, answer, value, next));
  }

  private long token(String lock) {
    return fenced ? lease.fencingToken(lock) : 0;
  }

  private void extend() {
    try {
      lease.extend(workload.ttl().plusMillis(random.nextInt((int) workload.ttl().toMillis())));
    } catch (LockException e) {
      // Lost, which the next look tells; or not answered, and as it was.
    }
  }
}
