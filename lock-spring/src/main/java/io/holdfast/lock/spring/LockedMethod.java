/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spring.RequestedShare.Views;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;

/**
 * A {@link Locked} method, as it was read at start-up.
 *
 * @param method that is annotated
 * @param name what lock names begin with; may be empty
 * @param key gives the rest of the name; none if the name is fixed
 * @param scenario of the lock
 * @param share what is asked for of the name
 * @param maxWait limit; none for as long as it takes
 * @param ttl of the lease; that of the scenario if empty
 * @param minHold of the lease; that of the scenario if empty
 * @param skips whether a busy lock is passed over in silence
 * @param kind when the method is done
 * @param leases the places of parameters that are given the lease
 * @param tokens the places of parameters that are given its token
 */
record LockedMethod(
    Method method,
    String name,
    Optional<Expression> key,
    String scenario,
    RequestedShare share,
    Optional<Duration> maxWait,
    Optional<Duration> ttl,
    Optional<Duration> minHold,
    boolean skips,
    Kind kind,
    List<Integer> leases,
    List<Integer> tokens) {

  /** When a method is done. */
  enum Kind {
    /** When it returns. */
    BLOCKING,
    /** When its {@code CompletionStage} is complete. */
    STAGE,
    /** When what it returns has been subscribed to and is complete. */
    REACTIVE
  }

  /** The locks that one call asks for, on the terms of the annotation. */
  Views views(LockSource source, String lockName) {
    return share.find(source, scenario, lockName, this::onItsTerms);
  }

  private DistributedLock onItsTerms(DistributedLock lock) {
    if (ttl.isEmpty() && minHold.isEmpty()) {
      return lock;
    }
    LockOptions options = lock.options();
    LockOptions timed = ttl.map(time -> withTtl(options, time)).orElse(options);
    return lock.with(minHold.map(timed::withMinHold).orElse(timed));
  }

  /** With a TTL for which the interval is too long, renewal is automatic, as scenarios have it. */
  private static LockOptions withTtl(LockOptions options, Duration ttl) {
    boolean fits =
        !(options.renewal() instanceof Renewal.Automatic automatic)
            || automatic
                .interval()
                .filter(interval -> interval.multipliedBy(2).compareTo(ttl) > 0)
                .isEmpty();
    return (fits ? options : options.withRenewal(Renewal.automatic())).withTtl(ttl);
  }

  /** Gives the method what it is to know of the lease. */
  @Nullable Object[] arguments(@Nullable Object[] given, Lease lease) {
    @Nullable Object[] all = given.clone();
    for (int place : leases) {
      all[place] = lease;
    }
    for (int place : tokens) {
      all[place] = lease.fencingToken();
    }
    return all;
  }

  /** The name for one call. */
  String lockName(@Nullable Object value) {
    if (key.isEmpty()) {
      return name;
    }
    String text = value == null ? "" : value.toString();
    if (text.isEmpty()) {
      throw badKey((value == null ? "null" : "empty") + "; it must name what to lock");
    }
    if (value != null && isIdentity(value, text)) {
      throw badKey(
          "of type %s, which has no toString() of its own, so its text does not say what to lock: name a part of it, or give it one"
              .formatted(value.getClass().getTypeName()));
    }
    return name.isEmpty() ? text : name + ":" + text;
  }

  /** Whether it is the text of {@code Object.toString}: a hash, which says nothing to others. */
  private static boolean isIdentity(Object value, String text) {
    String type = value.getClass().getName() + "@";
    return text.startsWith(type)
        && (text.equals(type + Integer.toHexString(value.hashCode()))
            || text.equals(type + Integer.toHexString(System.identityHashCode(value))));
  }

  private IllegalArgumentException badKey(String what) {
    return new IllegalArgumentException(
        "The key '%s' of @Locked on %s is %s"
            .formatted(key.map(Expression::getExpressionString).orElse(""), place(method), what));
  }

  static LockConfigurationException bad(Method method, String what) {
    return new LockConfigurationException("@Locked on %s %s".formatted(place(method), what));
  }

  static String place(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
