/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.engine.Providers;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides which of the configured backends a scenario has, and on which terms. Connects to nothing.
 * Immutable.
 */
final class ScenarioChoice {

  private final Keys keys;
  private final Map<String, ScenarioTerms> terms = new TreeMap<>();

  /**
   * Reads the terms of all scenarios.
   *
   * @throws LockConfigurationException if some are wrong, or name a backend that there is not
   */
  ScenarioChoice(Keys keys) {
    this.keys = keys;
    keys.scenarios().forEach((name, values) -> terms.put(name, ScenarioTerms.of(name, values)));
    terms.forEach(
        (name, term) ->
            term.backend()
                .ifPresent(wanted -> Backend.find(wanted, keys.backends(), origin(name))));
  }

  /** As {@link LockConfig#scenario}. */
  Scenario scenario(String name) {
    ScenarioTerms term = terms(name);
    Candidate choice = candidate(term);
    return new Scenario(
        name,
        term.preset(),
        choice.backend().name(),
        choice.provider().name(),
        term.options(),
        term.permits(),
        term.limit(),
        choice.lacks());
  }

  /** The same of a scenario that must be for locks. */
  Scenario lockScenario(String name) {
    Scenario decided = scenario(name);
    if (decided.limit().isPresent()) {
      throw new LockConfigurationException(
          "Scenario '%s' counts permits and has no locks (preset '%s'): open it with RateLimiters.forScenario, or ask for a scenario with another preset"
              .formatted(name, Preset.RATE_LIMIT.id()));
    }
    return decided;
  }

  private ScenarioTerms terms(String name) {
    ScenarioTerms configured = terms.get(name);
    if (configured != null) {
      return configured;
    }
    if (Preset.of(name).isEmpty()) {
      Set<String> all = new TreeSet<>(terms.keySet());
      all.addAll(Preset.ids());
      throw new LockConfigurationException(
          "There is no scenario '%s'%s Configured are %s, presets are %s"
              .formatted(name, Spelling.hint(name, all), terms.keySet(), Preset.ids()));
    }
    return ScenarioTerms.of(name, Map.of());
  }

  private Candidate candidate(ScenarioTerms term) {
    if (keys.backends().isEmpty()) {
      throw new LockConfigurationException(
          "There is no backend for scenario '%s': set 'backend.main.url', for example, in %s or another source; on the class path are the providers %s"
              .formatted(term.name(), LockConfig.USUAL_FILE, Providers.names()));
    }
    List<Backend> backends =
        term.backend()
            .map(wanted -> List.of(Backend.find(wanted, keys.backends(), origin(term.name()))))
            .orElseGet(
                () ->
                    keys.backends().entrySet().stream()
                        .map(entry -> new Backend(entry.getKey(), entry.getValue()))
                        .toList());
    return Candidate.choose(term, backends);
  }

  private String origin(String scenario) {
    Map<String, Value> values = keys.scenarios().getOrDefault(scenario, Map.of());
    Value backend = values.get("backend");
    return backend == null ? "scenario " + scenario : backend.origin();
  }
}
