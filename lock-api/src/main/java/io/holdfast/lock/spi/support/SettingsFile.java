/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

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
import java.util.Properties;

/** Reads a properties file in UTF-8 and remembers where each setting is written. */
public final class SettingsFile {

  private SettingsFile() {}

  /**
   * A setting.
   *
   * @param key its name
   * @param value with file and line as its origin
   */
  public record Line(String key, Value value) {}

  /**
   * Reads a file. Line by line, because {@link Properties} reads a whole file and tells no line.
   *
   * @param file a properties file
   * @return its settings in the order of the file
   * @throws LockConfigurationException if it is not there, or cannot be read
   */
  public static List<Line> read(Path file) {
    List<String> lines = physical(file);
    List<Line> settings = new ArrayList<>();
    int first = 0;
    while (first < lines.size()) {
      int end = first + 1;
      if (!isComment(lines.get(first))) {
        while (end < lines.size() && goesOn(lines.get(end - 1))) {
          end++;
        }
      }
      String where = file + ", line " + (first + 1);
      Properties one = parse(String.join("\n", lines.subList(first, end)), where);
      for (String key : one.stringPropertyNames()) {
        settings.add(new Line(key, new Value(one.getProperty(key, ""), where, false)));
      }
      first = end;
    }
    return settings;
  }

  private static List<String> physical(Path file) {
    if (Files.isDirectory(file)) {
      throw new LockConfigurationException(
          "%s is a directory; name the properties file with the lock configuration"
              .formatted(file.toAbsolutePath()));
    }
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new LockConfigurationException(
          "There is no lock configuration at " + file.toAbsolutePath(), e);
    } catch (IOException e) {
      throw new LockConfigurationException("Cannot read the lock configuration " + file, e);
    }
  }

  /** One logical line has one property or none. */
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
