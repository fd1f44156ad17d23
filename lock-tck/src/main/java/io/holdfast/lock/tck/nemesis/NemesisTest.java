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

/**
 * {@link Nemesis} as a JUnit test: extend it, and open your {@link Fixture}. Runs one seed for 30
 * seconds, or what these system properties say: {@code holdfast.nemesis.seeds}, how many; {@code
 * holdfast.nemesis.first-seed}, 1 if not given; {@code holdfast.nemesis.seconds}. Histories and
 * pictures are in {@code target/nemesis}.
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
   * Runs the seeds, one after another, each with a fixture of its own.
   *
   * @return a test for each
   */
  @TestFactory
  public final Stream<DynamicTest> nemesis() {
    long first = Long.getLong(PROPERTIES + "first-seed", 1);
    long count = Long.getLong(PROPERTIES + "seeds", 1);
    Duration length =
        Duration.ofSeconds(Long.getLong(PROPERTIES + "seconds", Nemesis.USUAL.toSeconds()));
    return LongStream.range(first, first + count)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> test(seed, length)));
  }

  private void test(long seed, Duration length) throws Exception {
    try (Fixture fixture = open()) {
      Path directory = DIRECTORY.resolve(fixture.name()).resolve(Long.toString(seed));
      NemesisReport report = Nemesis.run(fixture, seed, length, directory);
      System.out.print(report.summary());
      if (!report.isGood()) {
        throw new AssertionError(report.summary());
      }
    }
  }
}
