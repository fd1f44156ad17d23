/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What all sources say together: of one key, the later layer counts. A backend's setting may say
 * where its value is instead of the value: {@code password-file} names a file, {@code password-env}
 * an environment variable.
 *
 * @param backends their settings, by their names
 * @param scenarios their settings, by their names
 */
record Keys(Map<String, Map<String, Value>> backends, Map<String, Map<String, Value>> scenarios) {

  private static final String BACKEND = "backend.";
  private static final String FILE = "-file";
  private static final String VARIABLE = "-env";

  static Keys merge(Map<String, String> environment, Iterable<Layer> lowestFirst) {
    Map<String, Value> merged = new TreeMap<>();
    for (Layer layer : lowestFirst) {
      merged.putAll(resolve(layer, environment));
    }
    Keys keys = new Keys(new TreeMap<>(), new TreeMap<>());
    merged.forEach(
        (key, value) -> {
          String[] parts = key.split("\\.", 3);
          (key.startsWith(BACKEND) ? keys.backends : keys.scenarios)
              .computeIfAbsent(parts[1], name -> new TreeMap<>())
              .put(parts[2], value);
        });
    return keys;
  }

  /** The same layer with the values that are elsewhere. */
  private static Map<String, Value> resolve(Layer layer, Map<String, String> environment) {
    Layer resolved = new Layer();
    layer
        .values()
        .forEach(
            (key, value) -> {
              boolean backend = key.startsWith(BACKEND);
              if (backend && key.endsWith(FILE)) {
                resolved.add(without(key, FILE), read(key, value));
              } else if (backend && key.endsWith(VARIABLE)) {
                resolved.add(without(key, VARIABLE), variable(key, value, environment));
              } else {
                resolved.add(key, value);
              }
            });
    return resolved.values();
  }

  private static String without(String key, String ending) {
    return key.substring(0, key.length() - ending.length());
  }

  /** Without the line break that editors put at the end. */
  private static Value read(String key, Value value) {
    try {
      String text = Files.readString(Path.of(value.text()), StandardCharsets.UTF_8);
      return elsewhere(text.replaceFirst("\\R\\z", ""), value);
    } catch (IOException | IllegalArgumentException e) {
      throw new LockConfigurationException(
          "'%s' (%s) is '%s', but must name a file of UTF-8 text that can be read"
              .formatted(key, value.origin(), value.text()),
          e);
    }
  }

  private static Value variable(String key, Value value, Map<String, String> environment) {
    return Optional.ofNullable(environment.get(value.text()))
        .map(text -> elsewhere(text, value))
        .orElseThrow(
            () ->
                new LockConfigurationException(
                    "'%s' (%s) is '%s', but there is no environment variable of that name"
                        .formatted(key, value.origin(), value.text())));
  }

  private static Value elsewhere(String text, Value from) {
    return new Value(text, from.origin() + ", by way of " + from.text(), true);
  }
}
