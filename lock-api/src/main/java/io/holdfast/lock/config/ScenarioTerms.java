/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Reentry;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.Share;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.engine.LimitTerms;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The configuration of one scenario, before a backend is chosen.
 *
 * @param name of the scenario
 * @param preset whose terms and demands it has; none if empty
 * @param backend the one that it names
 * @param options the terms of its locks
 * @param sharing what several owners may have of a name
 * @param permits of its semaphores, if it has any
 * @param limit the terms, if it has a limiter and no locks
 * @param acceptWeaker whether a backend will do that does not meet the demands
 */
record ScenarioTerms(
    String name,
    Optional<Preset> preset,
    Optional<String> backend,
    LockOptions options,
    Sharing sharing,
    OptionalInt permits,
    Optional<RateLimit> limit,
    boolean acceptWeaker) {

  static final String ACCEPT_WEAKER = "accept-weaker";
  static final String PERMITS = LimitTerms.PERMITS;

  private static final String SHARING = "sharing";
  private static final String EARLY_WARNING = "early-warning";

  static ScenarioTerms of(String name, Map<String, Value> values) {
    Settings settings = new Settings("scenario '" + name + "'", values, Set.of());
    Optional<Preset> preset = preset(name, values, settings);
    Optional<String> backend = settings.text("backend").map(String::strip);
    LockOptions defaults = preset.map(Preset::options).orElseGet(LockOptions::defaults);
    try {
      if (preset.filter(Preset::limits).isPresent()) {
        RateLimit limit = limit(name, settings);
        settings.finish();
        return new ScenarioTerms(
            name,
            preset,
            backend,
            defaults,
            Sharing.NONE,
            OptionalInt.empty(),
            Optional.of(limit),
            false);
      }
      boolean acceptWeaker = settings.flag(ACCEPT_WEAKER, false);
      Duration ttl = LockOptions.checkTtl(settings.duration("ttl", defaults.ttl()));
      Retry retry = retry(settings, defaults.retry());
      Renewal renewal = renewal(settings, defaults.renewal(), ttl);
      HandOver handOver = handOver(settings, defaults.handOver());
      HoldTimes holdTimes = holdTimes(settings, defaults.holdTimes());
      Optional<Duration> earlyWarning = earlyWarning(settings, ttl, renewal);
      OptionalInt permits = permits(settings);
      Sharing sharing = sharing(name, settings, permits);
      settings.finish();
      return new ScenarioTerms(
          name,
          preset,
          backend,
          new LockOptions(ttl, renewal, retry, handOver, Reentry.WAIT, holdTimes, earlyWarning),
          sharing,
          permits,
          Optional.empty(),
          acceptWeaker);
    } catch (IllegalArgumentException e) {
      throw new LockConfigurationException(
          "The terms of scenario '%s'%s are not valid: %s"
              .formatted(name, Layer.places(values), e.getMessage()),
          e);
    }
  }

  /** The demands of its preset and of its own terms that a backend does not meet. */
  List<Demand> lackedBy(LockProvider provider) {
    List<Demand> lacks = new ArrayList<>(preset.map(Preset::demands).orElse(List.of()));
    if (!options.holdTimes().minimum().isZero()) {
      lacks.add(Demand.MINIMUM_HOLD);
    }
    if (!options.holdTimes().lockDelay().isZero()) {
      lacks.add(Demand.LOCK_DELAY);
    }
    if (sharing != Sharing.NONE) {
      lacks.add(sharing == Sharing.PERMITS ? Demand.SEMAPHORES : Demand.READ_WRITE_LOCKS);
    }
    lacks.removeIf(demand -> demand.isMetBy(provider));
    return lacks;
  }

  /** The place of a backend among those that suit its preset best. */
  int rank(LockProvider provider) {
    return preset.map(one -> one.rank(provider.name())).orElse(0);
  }

  /** How many, nobody else can know. */
  private static RateLimit limit(String name, Settings settings) {
    if (settings.text(LimitTerms.PERMITS).isEmpty()) {
      throw new LockConfigurationException(
          "Scenario '%s' counts permits, but their number is not set: set 'scenario.%s.%s', for example to 100"
              .formatted(name, name, LimitTerms.PERMITS));
    }
    return LimitTerms.read(settings, Preset.WINDOW, Preset.WHEN_UNAVAILABLE);
  }

  private static Optional<Preset> preset(
      String name, Map<String, Value> values, Settings settings) {
    return settings
        .parsed(
            "preset",
            "one of " + Preset.ids() + ", or none",
            id ->
                id.strip().equals("none")
                    ? Optional.<Preset>empty()
                    : Optional.of(Preset.of(id.strip()).orElseThrow(IllegalArgumentException::new)))
        .orElseGet(
            () -> {
              Optional<Preset> same = Preset.of(name);
              if (same.isEmpty()) {
                refuseNearlyAPreset(name, values);
              }
              return same;
            });
  }

  /** Mistyped, it would have neither the demands of the preset nor its terms, without a word. */
  private static void refuseNearlyAPreset(String name, Map<String, Value> values) {
    Spelling.nearest(name, Preset.ids())
        .ifPresent(
            near -> {
              throw new LockConfigurationException(
                  "Scenario '%s'%s has no preset; did you mean '%s'? If not, set 'scenario.%s.preset' to one of %s, or to none"
                      .formatted(name, Layer.places(values), near, name, Preset.ids()));
            });
  }

  private static Retry retry(Settings settings, Retry defaults) {
    Duration initial = settings.duration("retry-initial", defaults.initial());
    Duration longest = initial.compareTo(defaults.max()) > 0 ? initial : defaults.max();
    double jitter =
        settings
            .parsed("retry-jitter", "a number from 0 to 1, such as 0.5", Double::valueOf)
            .orElse(defaults.jitter());
    OptionalInt attempts =
        settings
            .parsed(
                "retry-attempts",
                "a whole number of at least 1, or unlimited",
                text ->
                    text.strip().equals("unlimited")
                        ? OptionalInt.empty()
                        : OptionalInt.of(Integer.parseInt(text.strip())))
            .orElse(defaults.maxAttempts());
    return new Retry(initial, settings.duration("retry-max", longest), jitter, attempts);
  }

  private static HandOver handOver(Settings settings, HandOver defaults) {
    return settings
        .parsed(
            "hand-over",
            "none, or a positive duration such as 50ms",
            text ->
                text.strip().equals("none")
                    ? HandOver.none()
                    : new HandOver(defaults.maxLeases(), TimeText.parse(text)))
        .orElse(defaults);
  }

  private static HoldTimes holdTimes(Settings settings, HoldTimes defaults) {
    return new HoldTimes(
        bound(settings, "min-hold").orElse(defaults.minimum()),
        bound(settings, "max-hold").or(defaults::maximum),
        bound(settings, "lock-delay").orElse(defaults.lockDelay()));
  }

  /** One that would never come is a mistake. */
  private static Optional<Duration> earlyWarning(Settings settings, Duration ttl, Renewal renewal) {
    Optional<Duration> left = bound(settings, EARLY_WARNING);
    if (left.isPresent() && renewal instanceof Renewal.Fixed) {
      throw new IllegalArgumentException(
          "'%s' warns of renewals that fail, but 'renewal' is none".formatted(EARLY_WARNING));
    }
    if (left.isPresent() && left.get().compareTo(ttl) >= 0) {
      throw new IllegalArgumentException(
          "'%s' must be less than the ttl %s, but is %s"
              .formatted(EARLY_WARNING, TimeText.of(ttl), TimeText.of(left.get())));
    }
    return left;
  }

  private static Optional<Duration> bound(Settings settings, String key) {
    return settings.parsed(key, "a positive duration such as 500ms, 2s or 10m", TimeText::parse);
  }

  private static OptionalInt permits(Settings settings) {
    return settings.text(PERMITS).isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(settings.number(PERMITS, 1, 1, Share.MOST_PERMITS));
  }

  /** A semaphore of one permit is a lock, which every backend has. */
  private static Sharing sharing(String name, Settings settings, OptionalInt permits) {
    Sharing said =
        settings
            .parsed(
                SHARING,
                "read-write, or none; for a semaphore, set '%s' instead".formatted(PERMITS),
                text ->
                    switch (text.strip()) {
                      case "read-write" -> Sharing.READ_WRITE;
                      case "none" -> Sharing.NONE;
                      default -> throw new IllegalArgumentException();
                    })
            .orElse(Sharing.NONE);
    if (permits.isEmpty()) {
      return said;
    }
    if (said == Sharing.READ_WRITE) {
      throw new LockConfigurationException(
          "Scenario '%s' has '%s'%s and '%s' = read-write%s, but a name is a semaphore or a read-write lock. Keep one of them, and make a scenario for the other"
              .formatted(name, PERMITS, settings.place(PERMITS), SHARING, settings.place(SHARING)));
    }
    return permits.getAsInt() == 1 ? Sharing.NONE : Sharing.PERMITS;
  }

  /** With a TTL for which a preset's interval is too long, it is a third of it, as always. */
  private static Renewal renewal(Settings settings, Renewal preset, Duration ttl) {
    boolean fits =
        !(preset instanceof Renewal.Automatic automatic)
            || automatic
                .interval()
                .filter(interval -> interval.multipliedBy(2).compareTo(ttl) > 0)
                .isEmpty();
    return settings
        .parsed(
            "renewal",
            "auto, none, or a positive duration such as 500ms or 2s",
            text ->
                switch (text.strip()) {
                  case "auto" -> Renewal.automatic();
                  case "none" -> Renewal.none();
                  default -> Renewal.every(TimeText.parse(text));
                })
        .orElse(fits ? preset : Renewal.automatic());
  }
}
