/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds what must not be in a history. Only what is certain: for each finding there is no order of
 * things, within what the stamps leave open, in which all would have been right. Takes time as
 * sorting does.
 */
public final class Checker {

  private static final List<Check> CHECKS =
      List.of(
          Exclusion::check,
          TokenOrder::check,
          FencedWrites::check,
          UnfencedWrites::check,
          Losses::check,
          Answers::check,
          Recovery::check,
          FreePermits::check,
          ServiceOrder::check,
          Starvation::check);

  private Checker() {}

  /**
   * Checks a history.
   *
   * @param history what happened
   * @param demanded what to judge by
   * @return what is wrong, by time; empty if nothing is
   * @throws IllegalArgumentException if the history contradicts itself: who wrote it is wrong
   */
  public static List<Violation> check(History history, Expectations demanded) {
    IndexedHistory run = new IndexedHistory(history);
    List<Violation> found = new ArrayList<>();
    for (Check check : CHECKS) {
      check.check(run, demanded, found);
    }
    found.sort(Comparator.comparingLong(violation -> violation.events().get(0).at()));
    return List.copyOf(found);
  }

  /** One of the things to look for. */
  @FunctionalInterface
  interface Check {
    void check(IndexedHistory run, Expectations demanded, List<Violation> found);
  }
}
