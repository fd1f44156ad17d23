/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds two processes that believe at the same time that they hold the lock, and tokens that do not
 * grow. A belief begins with the grant. It ends with the release; otherwise with the validity that
 * the last renewal bought, also if the process was killed or suspended before: had it lived, it
 * would have been right to believe until then.
 */
final class OverlapCheck {

  private final List<Belief> beliefs = new ArrayList<>();
  private final Map<String, Belief> open = new HashMap<>();

  void accept(String worker, Report report) {
    if (report instanceof Report.Holds holds) {
      Belief belief = new Belief(worker, holds.token(), holds.at(), holds.until());
      beliefs.add(belief);
      open.put(worker, belief);
      return;
    }
    Belief belief = open.get(worker);
    if (belief == null) {
      return;
    }
    if (report instanceof Report.Renewed renewed) {
      belief.extend(renewed.until());
    } else if (report instanceof Report.Checked checked) {
      if (checked.valid()) {
        belief.extend(Math.max(checked.at(), checked.until()));
      }
    } else if (report instanceof Report.Lost lost) {
      end(worker, lost.at());
    } else if (report instanceof Report.Released released) {
      end(worker, released.at());
    }
  }

  /** Sentences about what must not have been; none if all is well. */
  List<String> findings() {
    List<String> findings = new ArrayList<>();
    List<Belief> ordered = new ArrayList<>(beliefs);
    ordered.sort(Comparator.comparingLong(belief -> belief.from));
    for (int i = 0; i < ordered.size(); i++) {
      Belief earlier = ordered.get(i);
      for (Belief later : ordered.subList(i + 1, ordered.size())) {
        long overlap = Math.min(earlier.to, later.to) - later.from;
        if (overlap > 0) {
          findings.add(
              "%s (token %d) and %s (token %d) both believed to hold for %.3f ms"
                  .formatted(
                      earlier.worker, earlier.token, later.worker, later.token, overlap / 1e6));
        }
        if (later.token <= earlier.token) {
          findings.add(
              "%s got token %d after %s had got %d"
                  .formatted(later.worker, later.token, earlier.worker, earlier.token));
        }
      }
    }
    return findings;
  }

  /** How often the lock was granted. */
  int grants() {
    return beliefs.size();
  }

  /** The dead believe nothing, and a server that hears of it at once need not wait. */
  void died(String worker, long at) {
    end(worker, at);
  }

  private void end(String worker, long at) {
    Belief ended = open.remove(worker);
    if (ended != null) {
      ended.to = Math.min(ended.to, at);
    }
  }

  private static final class Belief {
    private final String worker;
    private final long token;
    private final long from;
    private long to;

    Belief(String worker, long token, long from, long to) {
      this.worker = worker;
      this.token = token;
      this.from = from;
      this.to = to;
    }

    void extend(long until) {
      to = Math.max(to, until);
    }
  }
}
