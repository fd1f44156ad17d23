/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.Fixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@link Nemesis} as a JUnit test: extend it, and open your {@link Fixture}. Runs two seeds, side
 * by side, by {@link Profile#QUICK}, or what these system properties say: {@code
 * holdfast.nemesis.seeds}, how many; {@code holdfast.nemesis.first-seed}, 1 if not given; {@code
 * holdfast.nemesis.seconds}. Histories and pictures are in {@code target/nemesis}. It shows that a
 * backend stands faults at all; that it stands them in whatever order they come is for {@link
 * Soak}.
 */
public abstract class NemesisTest {

  private static final String PROPERTIES = "holdfast.nemesis.";
  private static final Path DIRECTORY = Path.of("target", "nemesis");

  /** For subclasses. */
  protected NemesisTest() {}

  /**
   * Opens what is run against.
   *
   * @return a fixture, closed by the kit
   * @throws Exception if it cannot be opened
   */
  protected abstract Fixture open() throws Exception;

  /**
   * Runs the seeds, each with a fixture of its own.
   *
   * @return a test for each
   */
  @TestFactory
  @Execution(ExecutionMode.CONCURRENT)
  public final Stream<DynamicTest> nemesis() {
    long first = Long.getLong(PROPERTIES + "first-seed", 1);
    long count = Long.getLong(PROPERTIES + "seeds", 2);
    Profile profile =
        Profile.QUICK.withLength(
            Duration.ofSeconds(
                Long.getLong(PROPERTIES + "seconds", Profile.QUICK.length().toSeconds())));
    return LongStream.range(first, first + count)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> test(seed, profile)));
  }

  private void test(long seed, Profile profile) throws Exception {
    try (Fixture fixture = open()) {
      Path directory = DIRECTORY.resolve(fixture.name()).resolve(Long.toString(seed));
      NemesisReport report = Nemesis.run(fixture, seed, profile, directory);
      System.out.print(report.summary());
      if (!report.isGood()) {
        throw new AssertionError(report.summary());
      }
    }
  }
}
