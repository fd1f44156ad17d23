/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.tck.history.Answer;
import io.holdfast.lock.tck.history.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What a thread does with a lease: looks, writes, waits, and gives it back. */
final class LeaseUse {

  private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();
  private static final long LONG_HOLD_NANOS = Duration.ofMillis(100).toNanos();

  private final Lease lease;
  private final long attempt;
  private final Workload workload;
  private final Log log;
  private final List<Resource> resources;
  private final Random random;
  private final BooleanSupplier ended;
  private final long token;
  private final long begun;

  /**
   * Begins.
   *
   * @param grantedAt read when the call that granted had returned
   * @param ended whether to come to an end, however long it was to be held
   */
  LeaseUse(
      Lease lease,
      long attempt,
      long grantedAt,
      boolean fenced,
      Workload workload,
      Log log,
      List<Resource> resources,
      Random random,
      BooleanSupplier ended) {
    this.lease = lease;
    this.attempt = attempt;
    this.workload = workload;
    this.log = log;
    this.resources = resources;
    this.random = random;
    this.ended = ended;
    this.token = fenced ? lease.fencingToken() : 0;
    this.begun = grantedAt;
    log.write(
        new Event.Granted(
            grantedAt,
            log.process(),
            attempt,
            lease.lockName(),
            lease.ownerId(),
            token,
            lease.remaining()));
    lease.onLoss(
        loss ->
            log.write(new Event.Lost(System.nanoTime(), log.process(), attempt, loss.reason())));
  }

  /** Uses the lease, and gives it back; one of fixed time may also be left to itself. */
  void hold(boolean fixed) {
    use();
    if (fixed && workload.isForgotten(random)) {
      return;
    }
    ReleaseOutcome outcome = random.nextBoolean() ? lease.release() : lease.releaseAsync().join();
    log.write(new Event.Released(System.nanoTime(), log.process(), attempt, outcome));
  }

  /** Uses the lease for some time, or until it is not valid any more, or all come to their end. */
  void use() {
    long length = workload.length().nanos(random);
    long step = length > LONG_HOLD_NANOS ? workload.look().toNanos() : STEP_NANOS;
    while (isValid()) {
      if (random.nextInt(4) == 0) {
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
      log.write(new Event.Believed(before, log.process(), attempt));
      return true;
    }
    log.write(new Event.Doubted(System.nanoTime(), log.process(), attempt));
    return false;
  }

  private void readAndWrite(Resource resource) {
    String lock = lease.lockName();
    String name = resource.name(lock);
    long sent = resource.isFenced() ? token : 0;
    log.write(new Event.Writing(System.nanoTime(), log.process(), attempt, name, sent));
    try {
      long value = resource.read(lock, sent);
      LockSupport.parkNanos((long) (random.nextDouble() * STEP_NANOS));
      resource.write(lock, sent, value + 1);
      wrote(name, sent, Answer.ACCEPTED, value, value + 1);
    } catch (StaleTokenException e) {
      wrote(name, sent, Answer.REFUSED, 0, 0);
    } catch (IOException e) {
      wrote(name, sent, Answer.UNKNOWN, 0, 0);
    }
  }

  private void wrote(String name, long sent, Answer answer, long value, long next) {
    log.write(
        new Event.Wrote(
            System.nanoTime(), log.process(), attempt, name, sent, answer, value, next));
  }

  private void extend() {
    try {
      lease.extend(workload.ttl().plusMillis(random.nextInt((int) workload.ttl().toMillis())));
    } catch (LockException e) {
      // Lost, which the next look tells; or not answered, and as it was.
    }
  }
}
