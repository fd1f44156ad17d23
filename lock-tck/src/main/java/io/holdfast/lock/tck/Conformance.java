/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.tck.rules.AllRules;
import io.holdfast.lock.tck.rules.DeadlineMissed;
import io.holdfast.lock.tck.rules.FailureText;
import io.holdfast.lock.tck.rules.Outcome;
import io.holdfast.lock.tck.rules.Rule;
import io.holdfast.lock.tck.rules.RuleContext;
import io.holdfast.lock.text.TimeText;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the rules against a backend. Needs no test framework. */
public final class Conformance {

  private static final Logger LOG = LoggerFactory.getLogger(Conformance.class);
  private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(60);

  /** A rule waits for a dead holder's lock a few times. */
  private static final int DEATHS_IN_A_RULE = 6;

  private static final int SIDE_BY_SIDE = 6;
  private static final int MOST_TRIES = 3;

  private Conformance() {}

  /**
   * The ids of all rules.
   *
   * @return in the order of the specification
   */
  public static List<String> rules() {
    return checks().stream().map(Conformance::id).toList();
  }

  /**
   * Runs rules: those that may, in parallel; then the others, one by one. One that fails for lack
   * of time while the machine stood still is run again, up to two times, and that is logged and
   * counted: a holder that stands still loses its lease. If it fails each time, it is run up to
   * three times at the end, when nothing else runs; if it still fails, it is not judged. A failure
   * that lack of time cannot explain, such as two holders at once or a token that goes back, is
   * never excused.
   *
   * @param fixture the backend
   * @param chosen which rules, by id
   * @return what came of them, in the order of the specification
   */
  public static List<Result> run(Fixture fixture, Predicate<String> chosen) {
    return run(fixture, chosen, result -> {});
  }

  /**
   * The same for somebody who watches.
   *
   * @param fixture the backend
   * @param chosen which rules, by id
   * @param watcher is told what came of each rule when it has ended, by any thread; should be quick
   * @return what came of them, in the order of the specification
   */
  public static List<Result> run(
      Fixture fixture, Predicate<String> chosen, Consumer<? super Result> watcher) {
    List<Method> checks = checks().stream().filter(check -> chosen.test(id(check))).toList();
    ExecutorService threads = Executors.newCachedThreadPool(Conformance::daemon);
    ExecutorService lanes = Executors.newFixedThreadPool(SIDE_BY_SIDE, Conformance::daemon);
    try (MachineStalls stalls = new MachineStalls()) {
      Map<Boolean, List<Method>> parted =
          checks.stream().collect(Collectors.partitioningBy(Conformance::alone));
      List<Future<Result>> together = new ArrayList<>();
      for (Method check : parted.getOrDefault(false, List.of())) {
        together.add(lanes.submit(() -> told(watcher, fixture, check, threads, stalls)));
      }
      List<Result> results = new ArrayList<>();
      for (Future<Result> future : together) {
        results.add(future.get());
      }
      for (Method check : parted.getOrDefault(true, List.of())) {
        results.add(told(watcher, fixture, check, threads, stalls));
      }
      for (Method check : checks) {
        int at = indexOf(results, id(check));
        if (results.get(at).verdict() == Verdict.NOT_JUDGED) {
          Result again = told(watcher, fixture, check, threads, stalls);
          results.set(at, again.triedTimes(again.tries() + MOST_TRIES));
        }
      }
      List<String> order = rules();
      results.sort(Comparator.comparingInt(result -> order.indexOf(result.rule())));
      return results;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("The kit itself failed", e);
    } finally {
      lanes.shutdownNow();
      threads.shutdownNow();
    }
  }

  /**
   * Runs one rule once on what is broken on purpose: it is expected to fail, so a failure counts
   * whatever the machine did meanwhile. Only one for lack of time on a machine that had none is not
   * judged.
   *
   * @param fixture the backend
   * @param rule its id
   * @return what came of it
   * @throws IllegalArgumentException if there is no such rule
   */
  public static Result runOnce(Fixture fixture, String rule) {
    Method check =
        checks().stream()
            .filter(each -> id(each).equals(rule))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("There is no rule " + rule));
    ExecutorService threads = Executors.newCachedThreadPool(Conformance::daemon);
    try (MachineStalls stalls = new MachineStalls()) {
      long begun = System.nanoTime();
      Result result = limited(fixture, check, threads);
      Optional<String> stall = stalls.since(begun);
      return stall.isPresent() && result.failure().filter(Conformance::isForLackOfTime).isPresent()
          ? notJudged(result, stall.get())
          : result;
    } catch (InterruptedException e) {
      throw new IllegalStateException("The kit itself failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static int indexOf(List<Result> results, String rule) {
    return results.stream().map(Result::rule).toList().indexOf(rule);
  }

  private static Result told(
      Consumer<? super Result> watcher,
      Fixture fixture,
      Method check,
      ExecutorService threads,
      MachineStalls stalls)
      throws InterruptedException {
    Result result = undisturbed(fixture, check, threads, stalls);
    watcher.accept(result);
    return result;
  }

  private static Result undisturbed(
      Fixture fixture, Method check, ExecutorService threads, MachineStalls stalls)
      throws InterruptedException {
    for (int tries = 1; ; tries++) {
      long begun = System.nanoTime();
      Result result = limited(fixture, check, threads);
      Optional<Throwable> failure = result.failure();
      Optional<String> stall = stalls.since(begun);
      if (failure.filter(Conformance::isForLackOfTime).isEmpty() || stall.isEmpty()) {
        return result.triedTimes(tries);
      }
      if (tries == MOST_TRIES) {
        String each = stall.get() + ", each of the " + MOST_TRIES + " times";
        return notJudged(result, each).triedTimes(tries);
      }
      LOG.warn(
          "{} {} failed while {}; it is run again ({})",
          fixture.name(),
          id(check),
          stall.get(),
          result.detail());
    }
  }

  private static boolean isForLackOfTime(Throwable failure) {
    return failure instanceof DeadlineMissed
        || failure instanceof LockUnavailableException
        || failure instanceof LockTimeoutException
        || failure instanceof LockLostException;
  }

  private static Result notJudged(Result failed, String stall) {
    LOG.warn("{} is not judged: {}", failed.rule(), stall);
    return new Result(
        failed.rule(),
        failed.title(),
        Verdict.NOT_JUDGED,
        stall + "; at last: " + failed.detail(),
        Optional.empty(),
        failed.took(),
        failed.tries(),
        failed.measured());
  }

  private static Result limited(Fixture fixture, Method check, ExecutorService threads)
      throws InterruptedException {
    LOG.debug("{} begins", id(check));
    long begun = System.nanoTime();
    Duration limit = limit(fixture.timing());
    Future<Result> running = threads.submit(() -> runOne(fixture, check, begun));
    Result result;
    try {
      result = running.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException | CancellationException e) {
      DeadlineMissed dump = new DeadlineMissed(threadDump(), e);
      running.cancel(true);
      DeadlineMissed late =
          new DeadlineMissed(
              "expected the rule to end within %s, but it did not".formatted(TimeText.of(limit)),
              dump);
      result = failed(check, late, begun, List.of());
    }
    LOG.info("{} {} {}", fixture.name(), id(check), result.verdict());
    return result;
  }

  private static Duration limit(Timing timing) {
    Duration limit = timing.freeAfterDeath().multipliedBy(DEATHS_IN_A_RULE);
    return limit.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : limit;
  }

  private static Result runOne(Fixture fixture, Method check, long begun) {
    List<Measured> measured = new CopyOnWriteArrayList<>();
    try (RuleContext bench = new RuleContext(fixture, id(check), measured::add)) {
      Object group = check.getDeclaringClass().getDeclaredConstructor().newInstance();
      check.invoke(group, bench);
      return result(check, Verdict.HELD, "", null, begun, measured);
    } catch (InvocationTargetException e) {
      Throwable thrown = Objects.requireNonNullElse(e.getCause(), e);
      return thrown instanceof Outcome outcome
          ? result(check, outcome.verdict(), RuleContext.message(outcome), null, begun, measured)
          : failed(check, thrown, begun, measured);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return failed(check, e, begun, measured);
    }
  }

  private static Result failed(
      Method check, Throwable thrown, long begun, List<Measured> measured) {
    String detail = FailureText.of(thrown, check.getAnnotation(Rule.class).lookAt());
    return result(check, Verdict.FAILED, detail, thrown, begun, measured);
  }

  private static Result result(
      Method check,
      Verdict verdict,
      String detail,
      @org.jspecify.annotations.Nullable Throwable failure,
      long begun,
      List<Measured> measured) {
    return new Result(
        id(check),
        words(check.getName()),
        verdict,
        detail,
        Optional.ofNullable(failure),
        Duration.ofNanos(System.nanoTime() - begun),
        1,
        measured);
  }

  /** In the order of the specification, whichever class they are in. */
  private static List<Method> checks() {
    Map<String, List<Method>> groups = new LinkedHashMap<>();
    for (Class<?> group : AllRules.GROUPS) {
      Arrays.stream(group.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(Rule.class))
          .forEach(
              method ->
                  groups.computeIfAbsent(letters(method), key -> new ArrayList<>()).add(method));
    }
    return groups.values().stream()
        .flatMap(rules -> rules.stream().sorted(Comparator.comparingInt(Conformance::numberOf)))
        .toList();
  }

  private static String letters(Method check) {
    String id = id(check);
    return id.substring(0, id.indexOf('-'));
  }

  private static int numberOf(Method check) {
    String id = id(check);
    return Integer.parseInt(id.substring(id.indexOf('-') + 1));
  }

  private static String id(Method check) {
    return check.getAnnotation(Rule.class).value();
  }

  /**
   * Whether a rule disturbs others, or is disturbed by them.
   *
   * @param rule its id
   * @return false if there is no such rule
   */
  public static boolean runsAlone(String rule) {
    return checks().stream().filter(check -> id(check).equals(rule)).anyMatch(Conformance::alone);
  }

  private static boolean alone(Method check) {
    return check.getAnnotation(Rule.class).alone();
  }

  /** From {@code aRuleInWords} to {@code a rule in words}. */
  private static String words(String name) {
    return name.replaceAll("([A-Z])", " $1").toLowerCase(java.util.Locale.ROOT);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "tck");
    thread.setDaemon(true);
    return thread;
  }

  private static String threadDump() {
    return Thread.getAllStackTraces().entrySet().stream()
        .map(
            entry ->
                entry.getKey()
                    + "\n"
                    + Arrays.stream(entry.getValue())
                        .map(frame -> "    at " + frame + "\n")
                        .collect(Collectors.joining()))
        .collect(Collectors.joining("\n"));
  }
}
