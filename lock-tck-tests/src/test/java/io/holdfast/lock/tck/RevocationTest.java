/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules in which an administrator takes a lock away. */
class RevocationTest {

  @ParameterizedTest
  @ValueSource(strings = {"WT-6", "HO-4", "LS-3", "RN-6"})
  void aLockThatIsNotThereIsAFailure(String rule) {
    Result result = run(rule, Revocation.NOTHING_THERE);
    assertEquals(Verdict.FAILED, result.verdict());
    assertTrue(result.detail().contains("the server has no lock 'tck-" + rule), result.detail());
  }

  @ParameterizedTest
  @ValueSource(strings = {"WT-6", "HO-4", "LS-3", "RN-6"})
  void withoutAWayItIsSkipped(String rule) {
    assertEquals(Verdict.SKIPPED, run(rule, Revocation.NOT_POSSIBLE).verdict());
  }

  private static Result run(String rule, Revocation answer) {
    try (Fixture fixture = new AnsweringFixture(answer)) {
      return Conformance.runOnce(fixture, rule);
    }
  }

  /** A backend whose locks nobody takes away, whatever it answers. */
  private static final class AnsweringFixture extends MemoryFixture {

    private final Revocation answer;

    AnsweringFixture(Revocation answer) {
      this.answer = answer;
    }

    /** Nobody waits for the end of a lease here. */
    @Override
    public Timing timing() {
      return new Timing(Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    @Override
    public Revocation revoke(String lockName) {
      return answer;
    }
  }
}
