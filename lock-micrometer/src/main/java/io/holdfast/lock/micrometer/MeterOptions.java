/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.text.VisibleText;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a client's meters. Every meter has both tags, as Prometheus wants the same tags on
 * all meters of one name.
 *
 * @param clientName value of the tag {@code client}; one of its own for each client that is bound
 *     to a registry
 * @param families maps the name of a lock to the value of the tag {@code family}. It has to be
 *     quick, free of side effects, and to have few results: names of locks are unbounded, and each
 *     family has about 40 time series for each mode that it uses (lock, read, write, permits).
 *     {@link #OTHER} takes what is empty, what fails, and every family after the first {@value
 *     #MOST_FAMILIES}
 */
public record MeterOptions(String clientName, Function<String, @Nullable String> families) {

  /** The family of all locks, where families are not told apart. */
  public static final String ALL = "all";

  /** The family of locks that have none of their own. */
  public static final String OTHER = "other";

  /** So many families have meters of their own. */
  public static final int MOST_FAMILIES = 100;

  private static final MeterOptions DEFAULT = new MeterOptions("default", name -> ALL);

  /**
   * Checks both.
   *
   * @param clientName not blank
   * @param families any function
   */
  public MeterOptions {
    if (clientName.isBlank()) {
      throw new IllegalArgumentException("clientName must not be blank");
    }
    Objects.requireNonNull(families, "families");
  }

  /**
   * A client named {@code default}, and one family for all locks.
   *
   * @return the defaults
   */
  public static MeterOptions defaults() {
    return DEFAULT;
  }

  /**
   * With another name.
   *
   * @param name value of the tag {@code client}
   * @return changed options
   */
  public MeterOptions withClientName(String name) {
    return new MeterOptions(name, families);
  }

  /**
   * With families.
   *
   * @param newFamilies maps the name of a lock to a family, with few results
   * @return changed options
   */
  public MeterOptions withFamilies(Function<String, @Nullable String> newFamilies) {
    return new MeterOptions(clientName, newFamilies);
  }

  /**
   * With the first part of a name as its family: {@code orders} for {@code orders:7}, which is what
   * {@code client.within("orders").lock("7")} is called. Names without a colon are in {@link
   * #OTHER}.
   *
   * @return changed options
   */
  public MeterOptions withFamiliesByPrefix() {
    return withFamilies(
        name -> {
          int colon = name.indexOf(':');
          return colon < 0 ? OTHER : name.substring(0, colon);
        });
  }

  /** The value of a tag. Here, as observations need no library of meters. */
  static String value(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** The family of a lock: never empty, without control characters; {@link #OTHER} on failure. */
  String family(String lockName) {
    try {
      String family = families.apply(lockName);
      return family == null || family.isBlank() ? OTHER : VisibleText.of(family);
    } catch (RuntimeException e) {
      // A mistake in it costs the tag, not the count.
      return OTHER;
    }
  }
}
