/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The place of the locks that a command is about.
 *
 * @param config with which it is opened
 * @param scenario its backend, and the terms on which locks are taken there
 */
public record Target(LockConfig config, Scenario scenario) {

  /**
   * Connects.
   *
   * @return to be closed by the caller; its locks have the terms of the scenario
   * @throws io.holdfast.lock.LockException as {@link LockConfig#open}
   */
  public LockClient open() {
    return config.open(scenario.name(), ClientOptions.defaults());
  }

  /**
   * Names the backend without its address, which may hold a secret.
   *
   * @return such as {@code backend 'main' of provider 'redis'}
   */
  public String describe() {
    return scenario.backend().equals(BackendOptions.UNNAMED)
        ? "provider '" + scenario.provider() + "'"
        : "backend '%s' of provider '%s'".formatted(scenario.backend(), scenario.provider());
  }

  /**
   * The same for programs.
   *
   * @return a map that others may be added to
   */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("provider", scenario.provider());
    json.put("backend", scenario.backend());
    return json;
  }
}
