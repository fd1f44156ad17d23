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
import java.util.stream.Stream;

/**
 * The settings of all sources together: of one key, the later layer counts. A backend's setting may
 * say where its value is instead of the value: {@code password-file} names a file, {@code
 * password-env} an environment variable.
 *
 * @param backends their settings, by their names
 * @param scenarios their settings, by their names
 */
record Keys(Map<String, Map<String, Value>> backends, Map<String, Map<String, Value>> scenarios) {

  private static final String BACKEND = "backend.";
  private static final String FILE = "-file";
  private static final String VARIABLE = "-env";

  /** A setting as it was written; with an ending, the value says where the setting's value is. */
  private record Written(String key, Value value, String ending) {

    static Written of(String key, Value value) {
      String ending =
          Stream.of(FILE, VARIABLE)
              .filter(each -> key.startsWith(BACKEND) && key.endsWith(each))
              .findFirst()
              .orElse("");
      return new Written(key, value, ending);
    }

    String setting() {
      return key.substring(0, key.length() - ending.length());
    }

    Value resolve(Map<String, String> environment) {
      return switch (ending) {
        case FILE -> read(key, value);
        case VARIABLE -> variable(key, value, environment);
        default -> value;
      };
    }
  }

  static Keys merge(Map<String, String> environment, Iterable<Layer> lowestFirst) {
    Map<String, Written> merged = new TreeMap<>();
    for (Layer layer : lowestFirst) {
      merged.putAll(bySetting(layer));
    }
    Keys keys = new Keys(new TreeMap<>(), new TreeMap<>());
    merged.forEach(
        (key, written) -> {
          String[] parts = key.split("\\.", 3);
          (key.startsWith(BACKEND) ? keys.backends : keys.scenarios)
              .computeIfAbsent(parts[1], name -> new TreeMap<>())
              .put(parts[2], written.resolve(environment));
        });
    return keys;
  }

  /** Values that are elsewhere are not read yet, as a later layer may override them. */
  private static Map<String, Written> bySetting(Layer layer) {
    Layer settings = new Layer();
    Map<String, Written> bySetting = new TreeMap<>();
    layer
        .values()
        .forEach(
            (key, value) -> {
              Written written = Written.of(key, value);
              // Refuses a setting that is written in two ways.
              settings.add(
                  written.setting(), written.ending.isEmpty() ? value : elsewhere("", value));
              bySetting.put(written.setting(), written);
            });
    return bySetting;
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
