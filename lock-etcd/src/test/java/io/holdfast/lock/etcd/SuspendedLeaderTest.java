/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A leader that stands still for longer than leases last takes itself for the leader when it goes
 * on. It finds leases over that its successor has kept alive, and etcd carries out that it revokes
 * them: some within milliseconds. Where there are more than 16, it asks for the others when the
 * first requests have timed out, about six seconds later.
 */
class SuspendedLeaderTest {

  private static final boolean MUST_JUDGE =
      System.getProperty("holdfast.tck.not-judged", "skip").equals("fail");

  @Test
  void aLeaderThatGoesOnTakesNothingFromHolders() {
    try (EtcdClusterFixture cluster = new EtcdClusterFixture()) {
      // The kit itself runs a rule again that it cannot judge.
      List<Result> results = Conformance.run(cluster, Set.of("EX-13", "RN-11")::contains);
      List<Result> judged =
          results.stream()
              .filter(result -> MUST_JUDGE || result.verdict() != Verdict.NOT_JUDGED)
              .toList();
      for (Result result : judged) {
        assertEquals(Verdict.HELD, result.verdict(), result.detail());
      }
      assumeTrue(judged.size() == results.size(), results::toString);
    }
  }
}
