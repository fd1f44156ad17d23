/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.List;

/** One of the things that are measured. */
interface Section {

  /** One letter. */
  String name();

  /** For the page. */
  String title();

  /** Those of a backend that take part; all of them if not said otherwise. */
  default List<Entry> contestants(String backend) {
    return Contestants.of(backend);
  }

  /** Whether what it finds is on another page than that of the others. */
  default boolean hasOwnPage() {
    return false;
  }

  /** About how long {@link #measure} takes. */
  Duration estimate(Plan plan, List<Entry> entries);

  /** Measures contestants of one backend, with turns that alternate. */
  void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception;
}
