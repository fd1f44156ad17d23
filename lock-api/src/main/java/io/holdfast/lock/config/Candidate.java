/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.engine.Providers;
import io.holdfast.lock.spi.LockProvider;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A backend that a scenario could have.
 *
 * @param backend where
 * @param provider how
 * @param lacks the demands of the scenario that it does not meet
 */
record Candidate(Backend backend, LockProvider provider, List<Demand> lacks) {

  private static final Set<Demand> REFUSED_BY_LOCKS =
      Set.of(Demand.MINIMUM_HOLD, Demand.LOCK_DELAY, Demand.READ_WRITE_LOCKS, Demand.SEMAPHORES);

  /** The one that suits the scenario best, and meets its demands unless those are given up. */
  static Candidate choose(ScenarioTerms terms, List<Backend> backends) {
    List<Candidate> all =
        backends.stream()
            .flatMap(backend -> backend.providers().stream().map(p -> of(terms, backend, p)))
            .toList();
    List<Candidate> fit = all.stream().filter(candidate -> candidate.lacks.isEmpty()).toList();
    List<Candidate> weaker =
        terms.acceptWeaker() ? all.stream().filter(Candidate::isAcceptable).toList() : List.of();
    List<Candidate> choice = fit.isEmpty() ? weaker : fit;
    if (choice.isEmpty()) {
      throw tooWeak(terms, all);
    }
    int best = choice.stream().mapToInt(candidate -> candidate.rank(terms)).min().orElseThrow();
    List<Candidate> first = choice.stream().filter(c -> c.rank(terms) == best).toList();
    if (first.stream().map(Candidate::backend).distinct().count() == 1 && first.size() > 1) {
      throw first.get(0).backend.manyProviders(first.stream().map(Candidate::provider).toList());
    }
    if (first.size() > 1) {
      throw new LockConfigurationException(
          "Scenario '%s' could have %s. Say which: set 'scenario.%s.backend'"
              .formatted(
                  terms.name(),
                  first.stream().map(Candidate::describe).collect(Collectors.joining(", or ")),
                  terms.name()));
    }
    return first.get(0);
  }

  private static Candidate of(ScenarioTerms terms, Backend backend, LockProvider provider) {
    return new Candidate(backend, provider, terms.lackedBy(provider));
  }

  private int rank(ScenarioTerms terms) {
    return terms.rank(provider);
  }

  String describe() {
    return "backend '%s' of provider '%s'".formatted(backend.name(), provider.name());
  }

  /** The demands that it does not meet, and why they matter. */
  String weakness() {
    return lacks.stream()
        .map(demand -> demand.text() + " (" + demand.lack() + ")")
        .collect(Collectors.joining("; "));
  }

  /** A backend is not acceptable if its locks would refuse the scenario's terms. */
  private boolean isAcceptable() {
    return Collections.disjoint(lacks, REFUSED_BY_LOCKS);
  }

  /** Of what cannot count permits, none can be accepted. */
  private static String concession(ScenarioTerms terms, List<Candidate> all) {
    return terms.limit().isPresent() || all.stream().noneMatch(Candidate::isAcceptable)
        ? ""
        : ". To accept the weaker one anyway, set 'scenario.%s.%s' to true"
            .formatted(terms.name(), ScenarioTerms.ACCEPT_WEAKER);
  }

  private static LockConfigurationException tooWeak(ScenarioTerms terms, List<Candidate> all) {
    List<String> sufficient =
        Providers.all().stream()
            .filter(provider -> terms.lackedBy(provider).isEmpty())
            .sorted(Comparator.comparingInt(terms::rank))
            .map(LockProvider::name)
            .toList();
    String found =
        all.stream()
            .map(candidate -> candidate.describe() + " lacks " + candidate.weakness())
            .collect(Collectors.joining(". And "));
    String remedy =
        sufficient.isEmpty()
            ? "No provider on the class path meets them"
                + terms
                    .preset()
                    .map(preset -> "; add the module of one of " + preset.recommended())
                    .orElse("")
            : "Of the providers on the class path these meet them: " + sufficient;
    return new LockConfigurationException(
        "Scenario '%s' demands more%s: %s. %s%s"
            .formatted(
                terms.name(),
                terms.preset().map(preset -> " (preset '" + preset.id() + "')").orElse(""),
                found,
                remedy,
                concession(terms, all)));
  }
}
