/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit.engine;

import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.Locale;

/** A limit as settings say it. */
public final class LimitTerms {

  /** How many. */
  public static final String PERMITS = "permits";

  private static final String WINDOW = "window";
  private static final String WHEN_UNAVAILABLE = "when-unavailable";

  private LimitTerms() {}

  /**
   * Reads a limit of which everything has to be said.
   *
   * @param settings of whatever is limited
   * @return the limit
   */
  public static RateLimit required(Settings settings) {
    settings.required(PERMITS, "100");
    settings.required(WINDOW, "1m");
    settings.required(WHEN_UNAVAILABLE, "refuse");
    return read(settings, Duration.ofDays(1), Unanswered.REFUSE);
  }

  /**
   * Reads a limit of which the number has to be said.
   *
   * @param settings of whatever is limited
   * @param window if it is not set
   * @param unanswered if it is not set
   * @return the limit
   */
  public static RateLimit read(Settings settings, Duration window, Unanswered unanswered) {
    settings.required(PERMITS, "100");
    return new RateLimit(
        settings.number(PERMITS, 1, 1, RateLimit.MOST_PERMITS),
        settings.duration(WINDOW, window),
        settings
            .parsed(
                WHEN_UNAVAILABLE,
                "allow or refuse",
                value -> Unanswered.valueOf(value.trim().toUpperCase(Locale.ROOT)))
            .orElse(unanswered));
  }
}
