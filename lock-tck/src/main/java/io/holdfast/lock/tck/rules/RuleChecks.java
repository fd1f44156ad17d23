/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.tck.Verdict;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The checks of a rule: that something holds, comes true in time, answers in time, or fails as it
 * should. If it does not, the rule fails; where only time is the matter, with {@link
 * DeadlineMissed}.
 */
abstract class RuleChecks {

  /** The time that scheduling may add to any promised time on a busy machine. */
  public static final Duration SLACK = Duration.ofSeconds(3);

  private static final long SHORTEST_PAUSE_NANOS = 2_000_000;
  private static final long LONGEST_PAUSE_NANOS = 25_000_000;

  private static final Pattern ISO_TIME = Pattern.compile("\\bPT(?:-?\\d+(?:\\.\\d+)?[HMS]){1,3}");

  /** Classes whose lines are not those of a rule. */
  private static final Set<String> OWN =
      Set.of(RuleChecks.class.getName(), RuleContext.class.getName());

  RuleChecks() {}

  /** Ends the rule: it cannot be tried here. */
  public RuntimeException skipped(String reason) {
    return new Outcome(Verdict.SKIPPED, reason);
  }

  /** Ends the rule: it is not promised, and that was checked as far as it can be. */
  public RuntimeException notPromised(String reason) {
    return new Outcome(Verdict.NOT_PROMISED, reason);
  }

  /**
   * Fails unless it holds.
   *
   * @param otherwise "expected ..., but ...": what was seen instead
   */
  public void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** The same of what is only a matter of time. */
  public void checkInTime(boolean inTime, String otherwise) {
    if (!inTime) {
      throw new DeadlineMissed(otherwise);
    }
  }

  public void checkEquals(Object expected, Object found, String what) {
    check(
        expected.equals(found),
        "expected %s to be %s, but found %s".formatted(what, text(expected), text(found)));
  }

  public void checkAtMost(Duration most, Duration found, String what) {
    check(
        found.compareTo(most) <= 0,
        "expected %s to be at most %s, but found %s".formatted(what, text(most), text(found)));
  }

  /** A failure says in its message what a person needs. */
  public void checkSays(Throwable told, String... words) {
    for (String word : words) {
      check(
          message(told).contains(word),
          "expected a message with '%s', but found: %s".formatted(word, told));
    }
  }

  /** As people read it: no durations of ISO 8601, also within other values. */
  static String text(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(RuleChecks::text).orElse("nothing");
    }
    return ISO_TIME
        .matcher(String.valueOf(value))
        .replaceAll(time -> TimeText.of(Duration.parse(time.group())));
  }

  /** Has the call fail with the given type, and answers the failure. */
  public <X extends Throwable> X expect(Class<X> type, Callable<?> call) {
    Object answer;
    try {
      answer = call.call();
    } catch (Throwable thrown) {
      if (type.isInstance(thrown)) {
        return type.cast(thrown);
      }
      if (thrown instanceof Outcome outcome) {
        throw outcome;
      }
      String what = "expected " + type.getSimpleName() + ", but " + thrown + " was thrown";
      throw thrown instanceof LockUnavailableException
          ? new DeadlineMissed(what, thrown)
          : new AssertionError(what, thrown);
    }
    throw new AssertionError(
        "expected " + type.getSimpleName() + ", but the call answered " + text(answer));
  }

  /** Waits for a condition; fails if it does not come true in time. */
  public void await(String what, Duration within, BooleanSupplier condition) {
    await(() -> what, within, condition);
  }

  static void await(Supplier<String> what, Duration within, BooleanSupplier condition) {
    if (!comesTrue(within, condition)) {
      throw new DeadlineMissed(
          "expected within %s, but not seen: %s; the rule waits at %s"
              .formatted(TimeText.of(within), what.get(), caller()));
    }
  }

  /**
   * Waits for a condition that need not come true; tells whether it did. The longer it takes, the
   * longer are the pauses: some conditions connect for each look.
   */
  public static boolean comesTrue(Duration within, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long waited = System.nanoTime() - begin;
      if (waited > within.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(
          Math.max(SHORTEST_PAUSE_NANOS, Math.min(waited / 20, LONGEST_PAUSE_NANOS)));
    }
    return true;
  }

  /** Lets time pass, where that is what the rule is about. */
  public void letPass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (true) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  /** The result of a task, or what it threw. */
  public <T> T get(Future<T> future, Duration within) {
    try {
      return future.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new AssertionError(
          "expected no exception, but " + e.getCause() + " was thrown", e.getCause());
    } catch (TimeoutException e) {
      throw new DeadlineMissed(
          "expected an answer within %s, but there is none; the rule waits at %s"
              .formatted(TimeText.of(within), caller()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("expected an answer, but the rule was interrupted", e);
    }
  }

  /** The line of the rule that waits. */
  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !OWN.contains(frame.getClassName()))
                    .findFirst()
                    .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                    .orElse("an unknown place"));
  }

  /** The message of a failure, or nothing. */
  public static String message(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
