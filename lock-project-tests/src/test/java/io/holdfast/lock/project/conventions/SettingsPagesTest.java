/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of a backend and the Javadoc of its provider have its settings and their defaults. */
class SettingsPagesTest {

  private static final String HEADER = "| setting | default | meaning |\n|---|---|---|\n";
  private static final Pattern ON_PAGE = Pattern.compile("`([^`]+)`");
  private static final Pattern IN_JAVADOC = Pattern.compile("\\{@code ([^}]+)}");
  private static final Pattern DEFAULT = Pattern.compile("\\{@code ([^}]+)} if not set");

  static List<String> providers() {
    return Locks.providers();
  }

  /** The one for tests has none. */
  static List<String> providersWithAPage() {
    return providers().stream().filter(provider -> !provider.equals("memory")).toList();
  }

  @ParameterizedTest
  @MethodSource("providersWithAPage")
  void thePageHasTheSettings(String provider) throws IOException {
    Map<String, String> taken = taken(provider, example(provider));
    taken.put("client-name", "");
    assertEquals(lines(taken), lines(onPage(provider)));
  }

  @ParameterizedTest
  @MethodSource("providers")
  void theJavadocHasTheSettings(String provider) throws IOException {
    Map<String, String> example = provider.equals("memory") ? new TreeMap<>() : example(provider);
    assertEquals(lines(taken(provider, example)), lines(inJavadoc(Locks.provider(provider))));
  }

  /** A provider has read all its settings when it refuses one that it does not know. */
  private static Map<String, String> taken(String provider, Map<String, String> example) {
    example.put("no-setting", "x");
    Settings settings = new Settings(provider, example);
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class, () -> Locks.provider(provider).open(settings));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("no setting 'no-setting'"),
        refused::getMessage);
    return settings.known();
  }

  /** The settings with which the page begins. */
  private static Map<String, String> example(String provider) throws IOException {
    Properties read = new Properties();
    read.load(new StringReader(PageExamples.block(page(provider), "properties")));
    Map<String, String> example = new TreeMap<>();
    read.stringPropertyNames().forEach(key -> example.put(key, read.getProperty(key)));
    example.remove("provider");
    return example;
  }

  private static Path page(String provider) {
    return PageExamples.page("backends/" + provider.replaceFirst("-.*", "") + ".md");
  }

  /** A row may be for some providers of the page: {@code `pool-size` of `postgres-row`}. */
  private static Map<String, String> onPage(String provider) throws IOException {
    String page = Files.readString(page(provider));
    int table = page.indexOf(HEADER);
    assertTrue(table >= 0, () -> provider + " has no table of settings");
    Map<String, String> listed = new TreeMap<>();
    int end = page.indexOf("\n\n", table);
    for (String row : page.substring(table + HEADER.length(), end).split("\n", -1)) {
      String[] cells = row.split("\\|", 4);
      String[] keys = cells[1].split(" of ", 2);
      if (keys.length == 1 || keys[1].contains("`" + provider + "`")) {
        list(listed, ON_PAGE.matcher(keys[0]), cells[2].strip().replace("`", ""));
      }
    }
    return listed;
  }

  private static Map<String, String> inJavadoc(LockProvider provider) throws IOException {
    String source = Files.readString(source(provider)).replaceAll("\\s*\n \\*\\s*", " ");
    int list = source.indexOf("<ul>");
    Map<String, String> listed = new TreeMap<>();
    for (String item : source.substring(list, source.indexOf("</ul>")).split("<li>", -1)) {
      if (!item.startsWith("<ul>")) {
        Matcher fallback = DEFAULT.matcher(item);
        String keys = item.substring(0, item.indexOf(": "));
        list(listed, IN_JAVADOC.matcher(keys), fallback.find() ? fallback.group(1) : "");
      }
    }
    return listed;
  }

  private static Path source(LockProvider provider) {
    String file = provider.getClass().getName().replace('.', '/') + ".java";
    return Modules.libraries().stream()
        .map(module -> module.resolve("src/main/java").resolve(file))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  private static void list(Map<String, String> listed, Matcher keys, String fallback) {
    keys.results()
        .forEach(
            key -> assertNull(listed.put(key.group(1), fallback), () -> key.group(1) + " twice"));
  }

  /** One for each setting, to be compared by eye. */
  private static String lines(Map<String, String> settings) {
    StringBuilder lines = new StringBuilder();
    settings.forEach((key, fallback) -> lines.append(key + " = " + fallback + "\n"));
    return lines.toString();
  }
}
