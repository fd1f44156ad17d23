/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import io.holdfast.lock.servers.Server;
import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Verdict;
import io.holdfast.lock.tck.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.TestAbortedException;

/**
 * Tests the kit itself: extend it in a module that has the directory {@code src/test/mutants}. Its
 * files, whose names end in {@code .mutants}, describe changes to the sources of the modules beside
 * each other, each of which breaks a rule:
 *
 * <pre>
 * fixture io.holdfast.lock.tck.MemoryFixture
 *
 * == releases-anybodys
 * CA-7: whoever gives up waiting frees the lock of the one that holds it
 * lock-memory/MemoryClaim.java
 * - if (!owns(entry)) {
 * + if (!entry.isHeld()) {
 * </pre>
 *
 * <p>Each is compiled, and the rule that it names has to fail, run against the fixture, which holds
 * for all that follow it. Where it fails for lack of time while the machine has too much to do, it
 * has to do so twice, and the sources as they are have to keep the rule in between. One that gets
 * away among many is tried up to three times among few. Instead of a rule, a test may be named that
 * belongs to the backend, such as {@code PoolerSwitchTest#aLockOfASessionIsNotGivenToTwo}, in the
 * package of the fixture; that needs {@code junit-platform-launcher}. The text to be replaced has
 * to be in the file once; blanks and line ends count alike. A mutant may have several places and
 * files, Java or resources. Processes that rules start run the mutant as well. The system property
 * {@code holdfast.tck.mutant} names a single one.
 */
public abstract class MutantsTest {

  /** Which of a module's mutants are tried. */
  public enum Part {
    /** All of them. */
    ALL,
    /** The first of each rule, so that each rule is seen to catch one. */
    FIRST_OF_EACH_RULE,
    /** Those that the first of each rule leaves. */
    FURTHER
  }

  static final Path CATALOGUES = Path.of("src", "test", "mutants");
  private static final Path MODULES = Path.of("..");
  private static final Path MADE = Path.of("target", "mutants");
  private static final int MANY = 6;
  private static final int FEW = 2;
  private static final int TRIES = 3;
  private static final Duration LIMIT = Duration.ofMinutes(8);

  /** For subclasses. */
  protected MutantsTest() {}

  /**
   * Starts a server for all mutants, which is closed at the end. The fixtures need a constructor
   * that takes it, and are not closed then.
   *
   * @return empty unless overridden: each fixture has servers of its own
   */
  protected Optional<Server> startServer() {
    return Optional.empty();
  }

  /**
   * Chooses among the mutants, where they are too many for each build.
   *
   * @return all unless overridden
   */
  protected Part part() {
    return Part.ALL;
  }

  /**
   * Chooses among the files of mutants.
   *
   * @param file its name, without the ending
   * @return true unless overridden
   */
  protected boolean reads(String file) {
    return true;
  }

  /**
   * Tries the mutants: those whose rules may, side by side; then the others, one by one.
   *
   * @return a test for each
   * @throws Exception if a catalogue cannot be read
   */
  @TestFactory
  @Timeout(value = 25, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  public final Stream<DynamicTest> mutants() throws Exception {
    String only = System.getProperty("holdfast.tck.mutant", "");
    List<Mutant> all = MutantFile.read(CATALOGUES, this::reads);
    List<Mutant> chosen =
        only.isEmpty()
            ? chosen(all)
            : all.stream().filter(mutant -> mutant.name().equals(only)).toList();
    Map<Mutant, FutureTask<String>> caught = new LinkedHashMap<>();
    Optional<Server> shared = startServer();
    try (MutantRunner workshop = new MutantRunner(MODULES, MADE, shared)) {
      chosen.forEach(
          mutant -> caught.put(mutant, new FutureTask<>(() -> expectCaught(workshop, mutant))));
      runAll(caught, MANY);
      // Mutants that were not judged or not caught because there was too much to do are tried when
      // there is less: among many, the race that gives a mutant away may be lost by chance.
      Map<Mutant, FutureTask<String>> again = new LinkedHashMap<>();
      for (Mutant mutant : chosen) {
        if (escaped(Objects.requireNonNull(caught.get(mutant)))) {
          System.out.println("Not caught among many, and tried again: " + mutant.name());
          again.put(mutant, new FutureTask<>(() -> expectCaughtAmongFew(workshop, mutant)));
        }
      }
      runAll(again, FEW);
      caught.putAll(again);
    } finally {
      shared.ifPresent(Server::close);
    }
    return caught.entrySet().stream().map(each -> test(each.getKey(), each.getValue()));
  }

  private List<Mutant> chosen(List<Mutant> all) {
    Set<String> rules = new HashSet<>();
    Map<Boolean, List<Mutant>> byFirst =
        all.stream().collect(Collectors.partitioningBy(mutant -> rules.add(mutant.judge())));
    return switch (part()) {
      case ALL -> all;
      case FIRST_OF_EACH_RULE -> byFirst.getOrDefault(true, List.of());
      case FURTHER -> byFirst.getOrDefault(false, List.of());
    };
  }

  private static void runAll(Map<Mutant, FutureTask<String>> trials, int sideBySide)
      throws InterruptedException {
    ExecutorService lanes = Executors.newFixedThreadPool(sideBySide);
    List<FutureTask<String>> alone = new ArrayList<>();
    trials.forEach(
        (mutant, trial) -> {
          // Under load a test may fail without the change.
          if (!mutant.isJudgedByRule() || Conformance.runsAlone(mutant.judge())) {
            alone.add(trial);
          } else {
            lanes.execute(trial);
          }
        });
    lanes.shutdown();
    if (!lanes.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("Not all mutants were tried within " + LIMIT);
    }
    alone.forEach(FutureTask::run);
  }

  private static boolean escaped(Future<String> trial) throws InterruptedException {
    try {
      trial.get();
      return false;
    } catch (ExecutionException e) {
      return e.getCause() instanceof TestAbortedException || e.getCause() instanceof AssertionError;
    }
  }

  private static String expectCaught(MutantRunner workshop, Mutant mutant) throws IOException {
    MutantRunner.Trial trial = workshop.run(mutant);
    if (!isJudged(trial)) {
      throw new TestAbortedException(mutant.judge() + ": " + trial);
    }
    return noted(mutant, trial);
  }

  /**
   * After it was late or not caught once. A backend that keeps the rule in spite of all there is to
   * do is in time; and a race that gives a mutant away is not lost time and again.
   */
  private static String expectCaughtAmongFew(MutantRunner workshop, Mutant mutant)
      throws IOException {
    MutantRunner.Trial unchanged = workshop.run(mutant.unchanged());
    MutantRunner.Trial trial = workshop.run(mutant);
    for (int more = 1; more < TRIES && hasPassed(trial); more++) {
      trial = workshop.run(mutant);
    }
    boolean lateAgain = trial.verdict() == Verdict.NOT_JUDGED;
    if (lateAgain && hasPassed(unchanged)) {
      return noted(mutant, new MutantRunner.Trial(Verdict.FAILED, trial.detail()));
    }
    if (!isJudged(trial)) {
      throw new TestAbortedException(mutant.judge() + ": " + trial + "; unchanged: " + unchanged);
    }
    return noted(mutant, trial);
  }

  /** Some rules end with what is not promised, once all that is has held. */
  private static boolean hasPassed(MutantRunner.Trial trial) {
    return trial.verdict() == Verdict.HELD || trial.verdict() == Verdict.NOT_PROMISED;
  }

  private static boolean isJudged(MutantRunner.Trial trial) {
    return trial.verdict() != Verdict.NOT_JUDGED && trial.verdict() != Verdict.SKIPPED;
  }

  private static String noted(Mutant mutant, MutantRunner.Trial trial) {
    if (trial.verdict() != Verdict.FAILED) {
      throw new AssertionError(
          "%s (%s) is not caught by %s, which ended as %s %s"
              .formatted(
                  mutant.name(),
                  mutant.pitfall(),
                  mutant.judge(),
                  trial.verdict(),
                  trial.detail()));
    }
    Report.addMutant(
        FaultyBackends.REPORTS,
        mutant.name(),
        mutant.judge(),
        mutant.pitfall(),
        mutant.where(),
        trial.detail());
    return trial.detail();
  }

  private static DynamicTest test(Mutant mutant, Future<String> caught) {
    return DynamicTest.dynamicTest(
        mutant.judge() + " " + mutant.name() + ": " + mutant.pitfall(),
        () -> {
          try {
            caught.get();
          } catch (ExecutionException e) {
            throw Objects.requireNonNullElse(e.getCause(), e);
          }
        });
  }
}
