/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.engine.Providers;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.engine.EngineLimiter;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One named backend.
 *
 * @param name its name
 * @param values its settings
 */
record Backend(String name, Map<String, Value> values) {

  private static final String PROVIDER = "provider";
  private static final String URL = "url";
  private static final String CLIENT_NAME = "client-name";
  private static final String NAMESPACE = "namespace";
  private static final Set<String> COMMON = Set.of(PROVIDER, URL, CLIENT_NAME, NAMESPACE);
  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]{0,30}:).*");

  /** The one that is named, or all on the class path that know the address. */
  List<LockProvider> providers() {
    Value named = values.get(PROVIDER);
    if (named != null) {
      try {
        return List.of(Providers.find(named.text()));
      } catch (LockConfigurationException e) {
        throw new LockConfigurationException(
            "Backend '%s' (%s): %s".formatted(name, named.origin(), e.getMessage()), e);
      }
    }
    Value url = values.get(URL);
    if (url == null) {
      throw new LockConfigurationException(
          "Backend '%s'%s needs '%s' or '%s'%s; on the class path are the providers %s"
              .formatted(
                  name,
                  Layer.places(values),
                  key(URL),
                  key(PROVIDER),
                  name.equals(Layer.DEFAULT) ? " (for this one, 'provider' alone is enough)" : "",
                  Providers.names()));
    }
    List<LockProvider> known =
        Providers.all().stream()
            .filter(provider -> provider.settingsOf(url.text()).isPresent())
            .toList();
    if (known.isEmpty()) {
      throw new LockConfigurationException(
          "No provider on the class path %s knows the address of '%s' (%s), which %s. Correct it, add a module, or set '%s'"
              .formatted(Providers.names(), key(URL), url.origin(), beginning(url), key(PROVIDER)));
    }
    return known;
  }

  /** More than one that suits as well as the others. */
  LockConfigurationException manyProviders(List<LockProvider> equallyGood) {
    return new LockConfigurationException(
        "Backend '%s'%s could be of provider %s. Say which: set '%s'"
            .formatted(
                name,
                Layer.places(Map.of(URL, Objects.requireNonNull(values.get(URL)))),
                equallyGood.stream()
                    .map(provider -> "'" + provider.name() + "'")
                    .collect(Collectors.joining(", or ")),
                key(PROVIDER)));
  }

  /** Connects, by its address if there is no other way. */
  LockClient open(LockProvider provider, BackendOpener opener, ClientOptions options) {
    Value clientName = values.get(CLIENT_NAME);
    ClientOptions named = clientName == null ? options : options.withClientName(clientName.text());
    return naming(
        provider,
        () ->
            opener
                .open(name, provider.name(), plain(provider, values), named)
                .orElseGet(() -> EngineClient.open(provider, settings(provider, values), named)));
  }

  /** Connects. The limiters of a backend have namespaces of their own, as their limits differ. */
  RateLimiter openLimiter(
      LockProvider provider,
      String scenario,
      RateLimit limit,
      BackendOpener opener,
      ClientOptions options) {
    Value all = values.getOrDefault(NAMESPACE, new Value(Settings.DEFAULT_NAMESPACE, "", false));
    Map<String, Value> apart = new TreeMap<>(values);
    apart.put(NAMESPACE, new Value(all.text() + "." + scenario, all.origin(), all.secret()));
    return naming(
        provider,
        () ->
            opener
                .openLimiter(name, provider.name(), plain(provider, apart), limit, options)
                .orElseGet(
                    () -> EngineLimiter.open(provider, settings(provider, apart), limit, options)));
  }

  /** Adds the backend's name to the message of a configuration error. */
  private <T> T naming(LockProvider provider, Supplier<T> opening) {
    try {
      return opening.get();
    } catch (LockConfigurationException e) {
      String message = String.valueOf(e.getMessage());
      // Also at the beginning of a sentence.
      if (message.contains(subject(provider).substring(1))) {
        throw e;
      }
      throw new LockConfigurationException(
          "Backend '%s' of provider '%s': %s".formatted(name, provider.name(), message), e);
    }
  }

  /** The settings with which {@link io.holdfast.lock.Locks#open(Map)} opens the same. */
  Map<String, String> texts(LockProvider provider) {
    Map<String, String> texts = plain(provider, values);
    texts.put(PROVIDER, provider.name());
    @Nullable Value clientName = values.get(CLIENT_NAME);
    if (clientName != null) {
      texts.put(CLIENT_NAME, clientName.text());
    }
    return texts;
  }

  private Map<String, String> plain(LockProvider provider, Map<String, Value> from) {
    Map<String, String> texts = new TreeMap<>();
    resolved(provider, from).forEach((key, value) -> texts.put(key, value.text()));
    return texts;
  }

  private Settings settings(LockProvider provider, Map<String, Value> from) {
    return new Settings(subject(provider), resolved(provider, from), COMMON);
  }

  /** Without what is not for the provider, and with what the address says. */
  private Map<String, Value> resolved(LockProvider provider, Map<String, Value> from) {
    Map<String, Value> settings = new TreeMap<>(from);
    settings.remove(PROVIDER);
    settings.remove(CLIENT_NAME);
    Value url = settings.remove(URL);
    if (url != null) {
      settingsOf(provider, url)
          .forEach(
              (key, text) -> {
                boolean secret = url.secret() || text.contains("@") || text.contains("=");
                @Nullable Value twice =
                    settings.put(key, new Value(text, url.origin() + ", as url", secret));
                if (twice != null) {
                  throw new LockConfigurationException(
                      "'%s' (%s) and '%s' (%s) are the same setting. Keep one of them"
                          .formatted(key(URL), url.origin(), key(key), twice.origin()));
                }
              });
    }
    return settings;
  }

  private Map<String, String> settingsOf(LockProvider provider, Value url) {
    Optional<Map<String, String>> read = provider.settingsOf(url.text());
    return read.orElseThrow(
        () ->
            new LockConfigurationException(
                "'%s' (%s) is not an address of provider '%s': it %s"
                    .formatted(key(URL), url.origin(), provider.name(), beginning(url))));
  }

  private String subject(LockProvider provider) {
    return "backend '%s' of provider '%s'".formatted(name, provider.name());
  }

  private String key(String setting) {
    return "backend." + name + "." + setting;
  }

  /** The rest may hold a password. */
  private static String beginning(Value url) {
    Matcher matcher = SCHEME.matcher(url.text());
    return matcher.matches() && !url.secret()
        ? "begins with '" + matcher.group(1) + "'"
        : "has no beginning such as 'redis:' that could be shown";
  }

  static Backend find(String name, Map<String, Map<String, Value>> all, String where) {
    Map<String, Value> values = all.get(name);
    if (values == null) {
      throw new LockConfigurationException(
          "There is no backend '%s' (%s)%s There are %s"
              .formatted(name, where, Spelling.hint(name, all.keySet()), all.keySet()));
    }
    return new Backend(name, values);
  }
}
