/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.spi.support.SettingsFile;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Reads layers from where they are written. */
final class Sources {

  private static final String PROPERTY_PREFIX = "holdfast.";
  private static final String VARIABLE_PREFIX = "HOLDFAST_";

  private Sources() {}

  static Layer map(Map<String, String> settings) {
    return map(settings, "in the given map");
  }

  static Layer map(Map<String, String> settings, String origin) {
    Layer layer = new Layer();
    settings.forEach((key, text) -> layer.add(key, new Value(text, origin, false)));
    return layer;
  }

  /** {@code holdfast.backend.main.url}, and likewise. */
  static Layer systemProperties(Properties properties) {
    Layer layer = new Layer();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(PROPERTY_PREFIX)) {
        String key = name.substring(PROPERTY_PREFIX.length());
        int dot = key.indexOf('.');
        if (dot > 0 && Layer.concerns(key.substring(0, dot))) {
          layer.add(
              key, new Value(properties.getProperty(name, ""), "system property " + name, false));
        }
      }
    }
    return layer;
  }

  /**
   * {@code HOLDFAST_BACKEND_MAIN_CONNECT_TIMEOUT} is {@code backend.main.connect-timeout}; a hyphen
   * in the name of a backend or scenario is two underscores.
   */
  static Layer environment(Map<String, String> variables) {
    Layer layer = new Layer();
    variables.forEach(
        (variable, text) -> {
          if (variable.startsWith(VARIABLE_PREFIX)) {
            String rest = variable.substring(VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT);
            String[] parts = rest.replace("__", "-").split("_", 3);
            if (parts.length > 1 && Layer.concerns(parts[0])) {
              String setting = parts.length > 2 ? "." + parts[2].replace('_', '-') : "";
              layer.add(
                  parts[0] + "." + parts[1] + setting,
                  new Value(text, "environment variable " + variable, false));
            }
          }
        });
    return layer;
  }

  /** A properties file in UTF-8. */
  static Layer file(Path file) {
    Layer layer = new Layer();
    SettingsFile.read(file).forEach(line -> layer.add(line.key(), line.value()));
    return layer;
  }
}
