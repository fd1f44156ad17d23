/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The time, the terms and the commit of a run.
 *
 * @param date in UTC
 * @param commit of this project
 * @param terms rounds, turns and seed
 * @param machine where
 * @param libraries with which
 */
record Run(String date, String commit, String terms, String machine, String libraries) {

  /** The property in which {@code ./bench} says it. */
  private static final String COMMIT = "holdfast.bench.commit";

  /** One that begins now. */
  static Run begin(Plan plan) {
    return new Run(
        LocalDate.now(ZoneOffset.UTC).toString(),
        System.getProperty(COMMIT, "unknown"),
        "%d rounds with turns of %s, after %s of warming up, seed %d"
            .formatted(plan.rounds(), seconds(plan.slice()), seconds(plan.warmUp()), plan.seed()),
        Machine.describe(),
        Machine.libraries());
  }

  private static String seconds(Duration time) {
    return NumberText.text(time.toMillis() / 1e3) + " s";
  }

  /** For a section. */
  String shortText() {
    return date + ", commit " + commit;
  }
}
