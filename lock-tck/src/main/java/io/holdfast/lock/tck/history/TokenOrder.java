/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.Share;
import io.holdfast.lock.tck.history.Attempt.Belief;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Tokens grow in the order of the grants, as far as that order is certain: a lease was granted at
 * the latest when its call returned, and at the earliest when it was asked for, or when the first
 * of its owner was, from which it may have been passed on, or the first of its process that got
 * nothing, which may have begun what was passed on; or, if it was valid when its call returned,
 * after all that were granted before that and that cannot be held together with it. Those that can,
 * such as readers, are in no order.
 */
final class TokenOrder {

  private TokenOrder() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    if (!demanded.fencing()) {
      return;
    }
    for (List<Attempt> attempts : run.byLock.values()) {
      List<Attempt> granted = attempts.stream().filter(attempt -> attempt.granted != null).toList();
      order(run, granted, inVain(attempts), found);
      twice(run, granted, found);
    }
  }

  /** By process: when it first asked for the lock and got nothing. */
  private static Map<String, Long> inVain(List<Attempt> attempts) {
    Map<String, Long> first = new HashMap<>();
    attempts.stream()
        .filter(attempt -> attempt.granted == null)
        .forEach(attempt -> first.merge(process(attempt), attempt.asked.at(), Math::min));
    return first;
  }

  private static void order(
      IndexedHistory run, List<Attempt> granted, Map<String, Long> inVain, List<Violation> found) {
    Map<String, Long> tenures = new HashMap<>();
    granted.forEach(one -> tenures.merge(owner(one), one.asked.at(), Math::min));
    ToLongFunction<Attempt> earliest =
        one ->
            one.belief()
                .map(Belief::from)
                .orElseGet(
                    () ->
                        Math.min(
                            tenures.getOrDefault(owner(one), one.asked.at()),
                            inVain.getOrDefault(process(one), one.asked.at())));
    List<Attempt> byEarliest = sorted(granted, Comparator.comparingLong(earliest));
    List<Attempt> byLatest = sorted(granted, Comparator.comparingLong(TokenOrder::latest));
    int next = 0;
    Map<Share, Attempt> greatest = new HashMap<>();
    for (Attempt now : byEarliest) {
      for (;
          next < byLatest.size() && latest(byLatest.get(next)) < earliest.applyAsLong(now);
          next++) {
        Attempt before = byLatest.get(next);
        greatest.merge(before.share(), before, TokenOrder::greater);
      }
      greatest.values().stream()
          .filter(before -> !Attempt.fit(before.share(), now.share()))
          .reduce(TokenOrder::greater)
          .filter(before -> token(before) > token(now))
          .ifPresent(
              before ->
                  found.add(
                      violation(
                          run, Kind.TOKEN_ORDER, "is smaller than an earlier one", before, now)));
    }
  }

  private static Attempt greater(Attempt one, Attempt other) {
    return token(other) > token(one) ? other : one;
  }

  private static void twice(IndexedHistory run, List<Attempt> granted, List<Violation> found) {
    List<Attempt> byToken = sorted(granted, Comparator.comparingLong(TokenOrder::token));
    for (int i = 1; i < byToken.size(); i++) {
      Attempt before = byToken.get(i - 1);
      Attempt now = byToken.get(i);
      if (token(before) == token(now) && !Attempt.fit(before.share(), now.share())) {
        found.add(violation(run, Kind.TOKEN_TWICE, "is that of another", before, now));
      }
    }
  }

  private static Violation violation(
      IndexedHistory run, Kind kind, String what, Attempt before, Attempt now) {
    String sentence =
        "%s was granted %s at %s with token %d, which %s: %d of %s at %s"
            .formatted(
                now.party(),
                now.lock(),
                run.time(latest(now)),
                token(now),
                what,
                token(before),
                before.party(),
                run.time(latest(before)));
    return new Violation(
        kind, sentence, List.of(before.grant().orElseThrow(), now.grant().orElseThrow()));
  }

  private static List<Attempt> sorted(List<Attempt> attempts, Comparator<Attempt> by) {
    return attempts.stream().sorted(by).toList();
  }

  private static String process(Attempt attempt) {
    return attempt.asked.process();
  }

  private static String owner(Attempt attempt) {
    return attempt.grant().orElseThrow().owner();
  }

  private static long latest(Attempt attempt) {
    return attempt.grant().orElseThrow().at();
  }

  private static long token(Attempt attempt) {
    return attempt.grant().orElseThrow().token();
  }
}
