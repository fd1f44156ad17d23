/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Share;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules about locks, asked of other things that one owner holds at a time. */
class RuleShareTest {

  @Test
  void theShareOfTheRulesIsSetByAWord() {
    assertEquals(Share.LOCK, RuleShare.parse("lock"));
    assertEquals(Share.WRITE, RuleShare.parse("write"));
    assertEquals(Share.of(3, 3), RuleShare.parse("3/3"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "read", "1/2", "2/1", "0/0", "2", "writer"})
  void aSharedOrUnknownShareIsRefused(String word) {
    assertThrows(IllegalArgumentException.class, () -> RuleShare.parse(word));
  }

  @ParameterizedTest
  @CsvSource({"FN-1, HELD", "SV-1, SKIPPED", "SV-4, SKIPPED", "SH-1, SKIPPED", "PM-1, SKIPPED"})
  void rulesThatAskForMoreThanLocksAreSkipped(String rule, Verdict verdict) {
    try (Fixture fixture = new SemaphoreFixture()) {
      Result result = Conformance.runOnce(fixture, rule);
      assertEquals(verdict, result.verdict(), result.detail());
    }
  }

  @Test
  void theFixturesShareIsTaken() {
    try (SemaphoreFixture fixture = new SemaphoreFixture()) {
      assertEquals(Verdict.HELD, Conformance.runOnce(fixture, "FN-1").verdict());
      assertEquals(Set.of(Share.of(2, 2)), fixture.taken);
    }
  }

  private static final class SemaphoreFixture extends MemoryFixture {

    private final Set<Share> taken = ConcurrentHashMap.newKeySet();

    @Override
    public Share share() {
      return Share.of(2, 2);
    }

    @Override
    public LockClient open(ClientOptions options) {
      LockClient client = super.open(options.withCallbackExecutor(Runnable::run));
      client.addListener(event -> taken.add(event.share()));
      return client;
    }
  }
}
