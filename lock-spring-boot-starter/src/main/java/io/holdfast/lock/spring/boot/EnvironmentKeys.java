/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.config.Preset;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * What the application's environment says below {@code holdfast}, with the places where it is
 * written, in Spring's order of sources and with its relaxed spelling. Placeholders are resolved. A
 * list is a value with commas. What Spring's environment variables leave open (dots and hyphens are
 * both left out or underscores) is decided by the settings that are known.
 */
final class EnvironmentKeys {

  private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("holdfast");
  private static final List<String> SECTIONS = List.of("backend", "scenario");

  /** Read elsewhere, with types. */
  private static final Set<String> OWN = Set.of("enabled", "locked", "web");

  private static final Set<String> SHARED =
      Set.of(
          StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
          StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

  private final Binder binder;
  private final Map<String, Value> values = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>(Preset.ids());

  private EnvironmentKeys(Binder binder) {
    this.binder = binder;
  }

  /**
   * By the keys of {@code LockConfig}; and {@code backend.<name>.bean}, which that does not know.
   */
  static Map<String, Value> read(Environment environment) {
    EnvironmentKeys keys = new EnvironmentKeys(Binder.get(environment));
    Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources.get(environment);
    sources.forEach(keys::learnNames);
    sources.forEach(keys::add);
    return keys.values;
  }

  /** Environment variables cannot have hyphens, so names are learned where they can. */
  private void learnNames(ConfigurationPropertySource source) {
    if (!isOf(source, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)) {
      for (ConfigurationPropertyName name : below(source)) {
        if (name.getNumberOfElements() > 3) {
          names.add(KnownKeys.dashed(name.getElement(2, Form.ORIGINAL)));
        }
      }
    }
  }

  /** Higher sources come first. */
  private void add(ConfigurationPropertySource source) {
    boolean variables = isOf(source, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    boolean shared = SHARED.stream().anyMatch(name -> isOf(source, name));
    for (ConfigurationPropertyName name : below(source)) {
      List<String> parts = parts(name);
      String first = parts.get(0);
      boolean ours = parts.size() == 1 ? KnownKeys.isOfABackend(first) : isSection(first);
      if (!OWN.contains(KnownKeys.dashed(first)) && (ours || !shared)) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        String origin =
            property == null || property.getOrigin() == null
                ? "'" + name + "'"
                : String.valueOf(property.getOrigin());
        values.putIfAbsent(key(parts, variables), new Value(text(name), origin, false));
      }
    }
  }

  private static List<ConfigurationPropertyName> below(ConfigurationPropertySource source) {
    return source instanceof IterableConfigurationPropertySource iterable
        ? iterable.stream().filter(PREFIX::isAncestorOf).toList()
        : List.of();
  }

  private static boolean isOf(ConfigurationPropertySource source, String name) {
    return source.getUnderlyingSource() instanceof PropertySource<?> underlying
        && underlying.getName().equals(name);
  }

  /** Others share these sources: what nobody can have meant for us is not ours. */
  private static boolean isSection(String written) {
    return Spelling.nearest(KnownKeys.dashed(written), SECTIONS).isPresent();
  }

  /** Without the prefix, and without the place in a list. */
  private static List<String> parts(ConfigurationPropertyName name) {
    List<String> parts = new ArrayList<>();
    for (int i = 1; i < name.getNumberOfElements(); i++) {
      if (!name.isNumericIndex(i)) {
        parts.add(name.getElement(i, Form.ORIGINAL));
      }
    }
    return parts;
  }

  private String key(List<String> parts, boolean variables) {
    String section = KnownKeys.dashed(parts.get(0));
    if (parts.size() == 1) {
      return KnownKeys.setting("backend", section);
    }
    if (parts.size() < 3 || !SECTIONS.contains(section)) {
      return String.join(".", parts);
    }
    String name = KnownKeys.dashed(parts.get(1));
    List<String> rest = parts.subList(2, parts.size());
    if (!variables && rest.size() > 1) {
      return String.join(".", parts);
    }
    return section
        + "."
        + (variables ? spelled(name) : name)
        + "."
        + KnownKeys.setting(section, String.join("-", rest));
  }

  private String spelled(String name) {
    return names.stream()
        .filter(known -> KnownKeys.uniform(known).equals(KnownKeys.uniform(name)))
        .findFirst()
        .orElse(name);
  }

  private String text(ConfigurationPropertyName name) {
    return name.isLastElementIndexed() && name.isNumericIndex(name.getNumberOfElements() - 1)
        ? String.join(
            ",", binder.bind(name.getParent(), Bindable.listOf(String.class)).orElse(List.of()))
        : binder.bind(name, Bindable.of(String.class)).orElse("");
  }
}
