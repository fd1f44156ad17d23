/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Reads layers from where they are written. */
final class Sources {

  private static final String PROPERTY_PREFIX = "holdfast.";
  private static final String VARIABLE_PREFIX = "HOLDFAST_";

  private Sources() {}

  static Layer map(Map<String, String> settings) {
    Layer layer = new Layer();
    settings.forEach((key, text) -> layer.add(key, new Value(text, "in the given map", false)));
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
    for (Line line : lines(file)) {
      for (String key : line.properties.stringPropertyNames()) {
        String text = line.properties.getProperty(key, "");
        layer.add(key, new Value(text, line.where, false));
      }
    }
    return layer;
  }

  /** One logical line; it has one property or none. */
  record Line(String where, Properties properties) {}

  /** Line by line, because {@link Properties} reads a whole file and tells no line. */
  static List<Line> lines(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new LockConfigurationException(
          "There is no lock configuration at " + file.toAbsolutePath(), e);
    } catch (IOException e) {
      throw new LockConfigurationException("Cannot read the lock configuration " + file, e);
    }
    List<Line> logical = new ArrayList<>();
    int first = 0;
    while (first < lines.size()) {
      int end = first + 1;
      if (!isComment(lines.get(first))) {
        while (end < lines.size() && goesOn(lines.get(end - 1))) {
          end++;
        }
      }
      String where = file + ", line " + (first + 1);
      logical.add(new Line(where, parse(String.join("\n", lines.subList(first, end)), where)));
      first = end;
    }
    return logical;
  }

  private static Properties parse(String line, String where) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(line));
    } catch (IOException | IllegalArgumentException e) {
      // Not with its text, which may be a secret.
      throw new LockConfigurationException(
          "Cannot read the lock configuration at %s: a backslash and u need four hexadecimal digits"
              .formatted(where));
    }
    return properties;
  }

  private static boolean isComment(String line) {
    String text = line.stripLeading();
    return text.startsWith("#") || text.startsWith("!");
  }

  /** An even number of backslashes at the end are so many halves of backslashes. */
  private static boolean goesOn(String line) {
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}
