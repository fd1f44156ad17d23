/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Holds a lock while the method is at work. The lock's name is {@link #name()}, or {@link #key()},
 * or both with a colon between them.
 *
 * <pre>{@code
 * @Locked(name = "order", key = "#id", maxWait = "5s")
 * @Transactional
 * public void ship(long id, @FencingToken long token) { ... }
 * }</pre>
 *
 * <p>A method that returns a {@code CompletionStage}, a Reactor type (or another type that Spring
 * adapts to one), and a suspending function of Kotlin are at work until their result is complete,
 * has failed, or is cancelled. They do not block their caller while they wait for the lock.
 *
 * <p>A parameter of type {@link io.holdfast.lock.Lease} is given the lease, one that is annotated
 * with {@link FencingToken} its token, whatever the caller passed.
 *
 * <p><b>Transactions.</b> The lock is taken before a transaction that the method begins, and given
 * back after its end. If a transaction is under way when the method is called, the lock is kept
 * until that has ended. No transaction of the thread is committed if a lock that was taken this way
 * is lost: it is rolled back, and {@link io.holdfast.lock.LockLostException} thrown.
 *
 * <p>A blocking method that is called, directly or not, by one that holds the same lock on the same
 * thread, shares its lease: the same mode or number of permits, or a reader within a writer. A
 * writer within a reader is refused with {@link io.holdfast.lock.LockUpgradeException}. Calls
 * within one object do not pass through Spring's proxy, and take no lock.
 *
 * <p>The method throws {@link io.holdfast.lock.LockTimeoutException} if the lock is busy, {@link
 * io.holdfast.lock.LockUnavailableException} if the server cannot be reached, and {@link
 * io.holdfast.lock.LockLostException} if the lock was lost while the method was at work. An
 * annotation that cannot work fails the start of the application with {@link
 * io.holdfast.lock.LockConfigurationException}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {

  /**
   * The beginning of the lock's name. May have placeholders such as {@code ${app.region}}.
   *
   * @return a fixed text
   */
  String name() default "";

  /**
   * An expression of Spring (SpEL) over the arguments: {@code #id}, {@code #order.customer.id}. Its
   * value is made a text; it must not be null or empty, nor an object whose text is a hash, such as
   * an array or one without {@code toString()}.
   *
   * @return the expression, which can name parameters and beans ({@code @bean})
   */
  String key() default "";

  /**
   * The scenario whose backend and terms the lock has.
   *
   * @return its name; empty for the application's usual lock client
   */
  String scenario() default "";

  /**
   * For how long the lock is waited for: {@code 5s}, {@code 500ms}, or {@code 0s} for one attempt.
   * May have placeholders.
   *
   * @return empty to wait for as long as it takes, or, with {@link Busy#SKIP}, for one attempt
   */
  String maxWait() default "";

  /**
   * How long the backend keeps the lock when its holder dies. A lease is renewed while the method
   * is at work, however long that takes. May have placeholders.
   *
   * @return such as {@code 10s}; empty for that of the scenario
   */
  String ttl() default "";

  /**
   * How long the lock stays taken from the start of the method, also if that returns earlier: of
   * instances whose clocks differ by less, one runs a job. May have placeholders.
   *
   * @return such as {@code 30s}; empty for that of the scenario, which usually has none
   */
  String minHold() default "";

  /**
   * Whether the lock is held alone, or is one side of a read-write lock. A name that is read and
   * written has {@link Mode#READ} and {@link Mode#WRITE}, and never {@link Mode#EXCLUSIVE}.
   *
   * @return exclusive, read or write
   */
  Mode mode() default Mode.EXCLUSIVE;

  /**
   * How many permits of a semaphore the method holds, all or none; {@link #of()} says how many
   * there are.
   *
   * @return at least 1; 0 if the name is no semaphore
   */
  int permits() default 0;

  /**
   * How many permits the semaphore has, for all who use its name.
   *
   * @return at least {@link #permits()}; 0 for the {@code permits} that are configured for the
   *     scenario
   */
  int of() default 0;

  /**
   * The action if somebody else has the lock.
   *
   * @return throw or skip
   */
  Busy busy() default Busy.THROW;

  /** The kind of lock, which decides what others may do meanwhile. */
  enum Mode {
    /** A lock: nobody else has it. */
    EXCLUSIVE,
    /** The read side of a read-write lock: others may read, and nobody writes. */
    READ,
    /** The write side of a read-write lock: nobody else reads or writes. */
    WRITE
  }

  /** The action if somebody else has the lock, and the wait is over. */
  enum Busy {
    /** {@link io.holdfast.lock.LockTimeoutException} is thrown. */
    THROW,
    /**
     * The method is not called. The caller gets {@code null}, an empty {@code Optional}, or an
     * empty asynchronous result.
     */
    SKIP
  }
}
