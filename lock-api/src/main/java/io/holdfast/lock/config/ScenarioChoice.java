/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.engine.Providers;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which of the configured backends a scenario has, and on which terms. Connects to nothing.
 * Decides once for each scenario, as looking for providers on the class path takes time. For any
 * number of threads.
 */
final class ScenarioChoice {

  private final Keys keys;
  private final Map<String, ScenarioTerms> terms = new TreeMap<>();
  private final Map<String, Decision> decided = new ConcurrentHashMap<>();

  /**
   * The chosen terms, backend and provider.
   *
   * @param scenario for everybody
   * @param backend that it has
   * @param provider of the backend
   */
  record Decision(Scenario scenario, Backend backend, LockProvider provider) {}

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
  Decision decide(String name) {
    Decision known = decided.get(name);
    if (known != null) {
      return known;
    }
    ScenarioTerms term = terms(name);
    Candidate choice = candidate(term);
    Decision made =
        new Decision(
            new Scenario(
                name,
                term.preset(),
                choice.backend().name(),
                choice.provider().name(),
                term.options(),
                term.permits(),
                term.limit(),
                choice.lacks()),
            choice.backend(),
            choice.provider());
    decided.put(name, made);
    return made;
  }

  /** The same of a scenario that must be for locks. */
  Decision decideLocks(String name) {
    Decision made = decide(name);
    if (made.scenario().limit().isPresent()) {
      throw new LockConfigurationException(
          "Scenario '%s' counts permits and has no locks (preset '%s'): open it with RateLimiters.forScenario, or ask for a scenario with another preset"
              .formatted(name, Preset.RATE_LIMIT.id()));
    }
    return made;
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
