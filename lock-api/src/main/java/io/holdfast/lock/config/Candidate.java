/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.LockProvider;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A backend that a scenario could have.
 *
 * @param backend where
 * @param provider how
 * @param lacks the demands of the scenario that it does not meet
 */
record Candidate(Backend backend, LockProvider provider, List<Demand> lacks) {

  /** The one that suits the scenario best, and meets its demands unless those are given up. */
  static Candidate choose(ScenarioTerms terms, List<Backend> backends) {
    List<Candidate> all =
        backends.stream()
            .flatMap(backend -> backend.providers().stream().map(p -> of(terms, backend, p)))
            .toList();
    List<Candidate> fit = all.stream().filter(candidate -> candidate.lacks.isEmpty()).toList();
    if (fit.isEmpty() && !terms.acceptWeaker()) {
      throw tooWeak(terms, all);
    }
    List<Candidate> choice = fit.isEmpty() ? all : fit;
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
    return new Candidate(
        backend,
        provider,
        terms.preset().map(preset -> preset.lackedBy(provider)).orElse(List.of()));
  }

  private int rank(ScenarioTerms terms) {
    return terms.preset().map(preset -> preset.rank(provider.name())).orElse(0);
  }

  String describe() {
    return "backend '%s' of provider '%s'".formatted(backend.name(), provider.name());
  }

  /** What it lacks, and why that matters. */
  String weakness() {
    return lacks.stream()
        .map(demand -> demand.text() + " (" + demand.lack() + ")")
        .collect(Collectors.joining("; "));
  }

  /** Of what cannot count permits, none can be accepted. */
  private static String concession(ScenarioTerms terms) {
    return terms.limit().isPresent()
        ? ""
        : ". To accept the weaker one anyway, set 'scenario.%s.%s' to true"
            .formatted(terms.name(), ScenarioTerms.ACCEPT_WEAKER);
  }

  private static LockConfigurationException tooWeak(ScenarioTerms terms, List<Candidate> all) {
    Preset preset = terms.preset().orElseThrow();
    List<String> sufficient =
        Locks.providers().stream()
            .map(Locks::provider)
            .filter(provider -> preset.lackedBy(provider).isEmpty())
            .map(LockProvider::name)
            .sorted(Comparator.comparingInt(preset::rank))
            .toList();
    String found =
        all.stream()
            .map(candidate -> candidate.describe() + " lacks " + candidate.weakness())
            .collect(Collectors.joining(". And "));
    String remedy =
        sufficient.isEmpty()
            ? "No provider on the class path meets them; add the module of one of "
                + preset.recommended()
            : "Of the providers on the class path these meet them: " + sufficient;
    return new LockConfigurationException(
        "Scenario '%s' demands more (preset '%s'): %s. %s%s"
            .formatted(terms.name(), preset.id(), found, remedy, concession(terms)));
  }
}
