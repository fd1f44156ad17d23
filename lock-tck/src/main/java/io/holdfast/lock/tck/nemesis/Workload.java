/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Decides how a thread asks for locks, and for how long it holds them. Faults in locks show where
 * somebody waits for what another holds, and shortly after one was granted: so most grants are for
 * a moment, and most time is spent in long ones, on other locks, that keep nobody from those.
 *
 * @param wanted what is asked for, one of these at a time
 * @param tries whether it never waits for one
 * @param ttl what is asked for
 * @param pause at most, between two turns
 * @param patience at most, until a call that is to be called off is called off
 * @param longestWait at most, for a lock
 * @param fixed how many of 1000 leases are not renewed
 * @param forgotten how many of 1000 leases that are not renewed are never released
 * @param look at most, from one look at a lease that is held for long to the next
 * @param length of holding
 */
record Workload(
    List<LockRequest> wanted,
    boolean tries,
    Duration ttl,
    Duration pause,
    Duration patience,
    Duration longestWait,
    int fixed,
    int forgotten,
    Duration look,
    Length length) {

  private static final Duration MOMENT = Duration.ofMillis(5);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration NEVER_EXPIRES = Duration.ofMinutes(10);
  private static final int ALL = 1_000;

  /** A length in nanoseconds. */
  interface Length {
    long nanos(Random random);
  }

  /** Many grants: most of the time of a lock is on its way from one to the next. */
  static Workload brisk(WorkerConfig config) {
    return new Workload(
        LockRequest.locks(config.names().brisk()),
        false,
        config.ttl(),
        config.rest(),
        MOMENT,
        Duration.ofMillis(400),
        200,
        20,
        look(config),
        Workload::moment);
  }

  /**
   * Several locks at once, and shares of others: for a moment, and for long enough now and then
   * that they are renewed.
   */
  static Workload severalAndShared(WorkerConfig config) {
    long ttl = config.ttl().toNanos();
    return new Workload(
        config.names().severalAndShared(config.sharing()),
        false,
        config.ttl(),
        config.rest(),
        MOMENT,
        Duration.ofSeconds(3),
        200,
        40,
        look(config),
        random -> random.nextInt(16) == 0 ? share(random, ttl) : moment(random));
  }

  /** Renewed some times, or held until the end of their time. */
  static Workload slow(WorkerConfig config) {
    long ttl = config.ttl().toNanos();
    return new Workload(
        LockRequest.locks(config.names().slow()),
        false,
        config.ttl(),
        config.rest().multipliedBy(3),
        MOMENT.multipliedBy(16),
        Duration.ofSeconds(3),
        400,
        200,
        look(config),
        random -> random.nextBoolean() ? share(random, ttl) : ttl + share(random, ttl / 2));
  }

  /** Longer than any lease is valid that is not renewed: what was taken away meanwhile must end. */
  static Workload keeping(WorkerConfig config) {
    long longest = config.longest().toNanos();
    return new Workload(
        LockRequest.locks(List.of(config.names().kept(config.clientProcess()))),
        false,
        config.ttl(),
        config.rest(),
        MOMENT.multipliedBy(16),
        Duration.ofSeconds(3),
        0,
        0,
        look(config),
        random -> longest + longest / 2 + share(random, 2 * longest));
  }

  /** Takes locks that others hold for long: at once, and for a moment, when it is free. */
  static Workload trying(WorkerConfig config) {
    return new Workload(
        LockRequest.locks(
            Stream.concat(config.names().slow().stream(), config.names().kept(Run.PARTIES).stream())
                .toList()),
        true,
        config.ttl(),
        config.rest().multipliedBy(4),
        MOMENT,
        Duration.ZERO,
        0,
        0,
        look(config),
        Workload::moment);
  }

  /** Asked for by nobody else, and for so long that whatever is left behind is found. */
  static Workload alone(WorkerConfig config) {
    return new Workload(
        LockRequest.locks(List.of(config.names().own(config.process()))),
        false,
        NEVER_EXPIRES,
        config.rest().multipliedBy(4),
        MOMENT,
        Duration.ofMillis(400),
        200,
        0,
        look(config),
        Workload::moment);
  }

  private static Duration look(WorkerConfig config) {
    return config.rest().compareTo(LOOK) > 0 ? config.rest() : LOOK;
  }

  /** Some are given back at once, and some not before another would have had time to get it. */
  private static long moment(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> share(random, 8 * MOMENT.toNanos());
      default -> share(random, MOMENT.toNanos());
    };
  }

  private static long share(Random random, long most) {
    return (long) (random.nextDouble() * most);
  }

  boolean isFixed(Random random) {
    return random.nextInt(ALL) < fixed;
  }

  boolean isForgotten(Random random) {
    return random.nextInt(ALL) < forgotten;
  }

  LockRequest any(Random random) {
    return wanted.get(random.nextInt(wanted.size())).shuffled(random);
  }

  LockOptions options(boolean renewed) {
    LockOptions options =
        LockOptions.defaults()
            .withTtl(ttl)
            .withRetry(Retry.defaults().withPauses(Duration.ofMillis(20), Duration.ofMillis(200)));
    return renewed ? options : options.withRenewal(Renewal.none());
  }
}
