/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the section with a contestant that only notes what it is asked for. */
class MultiLockSectionTest {

  private final List<Integer> taken = new ArrayList<>();

  private final Contestant noting =
      new Contestant() {
        @Override
        public Held take(String key) {
          return note(1);
        }

        @Override
        public Held takeAll(List<String> keys) {
          return note(keys.size());
        }

        private Held note(int names) {
          taken.add(names);
          return () -> {};
        }

        @Override
        public void close() {}
      };

  @Test
  void oneNameAndTenNamesAreFirstInTurn() throws Exception {
    Entry entry = new Entry("memory", Entry.Kind.OURS, "noting", "", Set.of(), address -> noting);
    // Each is taken once, since the time is over then.
    Plan plan = Arguments.parse("--rounds=4", "--slice=0ms", "--warm-up=0ms").plan();
    try (BenchServers none = BenchServers.open(BenchServers.MEMORY)) {
      new MultiLockSection().measure(plan, List.of(entry), none, new Results(line -> {}));
    }
    assertEquals(List.of(10, 1, 1, 10, 10, 1, 1, 10, 10, 1), taken);
  }
}
