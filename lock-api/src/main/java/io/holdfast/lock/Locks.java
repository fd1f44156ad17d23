/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.engine.Providers;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.spi.support.SettingsFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The entry point: opens clients.
 *
 * <p>The configuration chooses the backend: the setting {@code provider} names it, and its module
 * is on the class path or module path. The settings {@code namespace} (default {@code lock}) and
 * {@code client-name} (the readable beginning of owner ids) are common to all providers; each
 * provider has further settings. The same file may have named backends and scenarios, as {@link
 * LockConfig} describes them: {@link #forScenario} opens them, and the other methods ignore them.
 */
public final class Locks {

  private static final String PROVIDER = "provider";
  private static final String CLIENT_NAME = "client-name";

  private Locks() {}

  /**
   * Opens a client from a properties file in UTF-8, which names the provider under {@code
   * provider}.
   *
   * @param properties the file
   * @return an open client, to be closed by the caller
   * @throws LockException as {@link #open(String, Map)}
   */
  public static LockClient open(Path properties) {
    Map<String, Value> settings = new TreeMap<>();
    SettingsFile.read(properties).forEach(line -> settings.put(line.key(), line.value()));
    return openAny(settings, ClientOptions.defaults());
  }

  /**
   * Opens a client from settings that name the provider under {@code provider}.
   *
   * @param settings keys and values
   * @return an open client, to be closed by the caller
   * @throws LockException as {@link #open(String, Map)}
   */
  public static LockClient open(Map<String, String> settings) {
    return open(settings, ClientOptions.defaults());
  }

  /**
   * Opens a client from settings that name the provider under {@code provider}.
   *
   * @param settings keys and values
   * @param options what the client takes from its surroundings; a {@code client-name} among the
   *     settings takes precedence over the one in here
   * @return an open client, to be closed by the caller
   * @throws LockException as {@link #open(String, Map)}
   */
  public static LockClient open(Map<String, String> settings, ClientOptions options) {
    return openAny(Settings.withoutOrigin(settings), options);
  }

  private static LockClient openAny(Map<String, Value> settings, ClientOptions options) {
    Map<String, Value> rest = new TreeMap<>(settings);
    rest.keySet().removeIf(key -> !isFlat(key));
    Value provider = rest.remove(PROVIDER);
    if (provider == null || provider.text().isBlank()) {
      throw new LockConfigurationException(
          "The setting 'provider' is missing%s; on the class path are %s. %s, use Locks.forScenario"
              .formatted(Settings.suggestionFor(PROVIDER, rest), providers(), named(settings)));
    }
    return open(provider.text(), rest, options);
  }

  private static String named(Map<String, Value> settings) {
    Settings all = Settings.ofProvider("", settings);
    return settings.keySet().stream()
        .filter(key -> !isFlat(key))
        .findFirst()
        .map(key -> "For what has names, as '" + key + "'" + all.place(key))
        .orElse("For named backends and scenarios");
  }

  private static boolean isFlat(String key) {
    return !key.startsWith("backend.") && !key.startsWith("scenario.");
  }

  /**
   * Opens a client: connects, and checks what can be checked.
   *
   * @param provider a provider's name, such as {@code redis}
   * @param settings its settings
   * @return an open client, to be closed by the caller
   * @throws LockConfigurationException if there is no such provider, or a setting is wrong
   * @throws LockUnavailableException if the backend does not answer in time
   * @throws LockRejectedException if the backend refuses the client
   */
  public static LockClient open(String provider, Map<String, String> settings) {
    return open(provider, Settings.withoutOrigin(settings), ClientOptions.defaults());
  }

  private static LockClient open(
      String provider, Map<String, Value> settings, ClientOptions options) {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(options, "options");
    Map<String, Value> rest = new TreeMap<>(settings);
    Value clientName = rest.remove(CLIENT_NAME);
    return open(
        Providers.find(provider),
        Settings.ofProvider(provider, rest),
        clientName == null ? options : options.withClientName(clientName.text()));
  }

  /**
   * Opens a client of a given provider: connects, and checks what can be checked.
   *
   * @param provider as {@link #provider} finds it
   * @param settings its settings; {@code client-name} is not one of them
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws LockException as {@link #open(String, Map)}
   */
  public static LockClient open(LockProvider provider, Settings settings, ClientOptions options) {
    return EngineClient.open(provider, settings, options);
  }

  /**
   * Opens a client for a scenario, as the file {@code holdfast.properties}, the environment and the
   * system properties configure it; see {@link LockConfig#load()}. Its {@link
   * LockClient#lock(String)} has the terms of the scenario, and its {@link
   * LockClient#semaphore(String)} the permits, where these are set. For several scenarios in one
   * process, {@link io.holdfast.lock.config.Scenarios} shares connections.
   *
   * @param scenario its name; the name of a {@link io.holdfast.lock.config.Preset} needs only a
   *     backend in the configuration
   * @return an open client, to be closed by the caller
   * @throws LockException as {@link LockConfig#open}
   */
  public static LockClient forScenario(String scenario) {
    return LockConfig.load().open(scenario, ClientOptions.defaults());
  }

  /**
   * Puts a client on an open backend; closing the client closes the backend.
   *
   * @param backend the backend
   * @return an open client, to be closed by the caller
   */
  public static LockClient using(LockBackend<?> backend) {
    return using(backend, ClientOptions.defaults());
  }

  /**
   * Puts a client on an open backend; closing the client closes the backend.
   *
   * @param backend the backend
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   */
  public static LockClient using(LockBackend<?> backend, ClientOptions options) {
    return EngineClient.open(backend, options);
  }

  /**
   * The providers that this thread's context class loader or the library's own can see.
   *
   * @return their names, sorted
   */
  public static List<String> providers() {
    return Providers.names();
  }

  /**
   * A provider, which states its promises without a connection.
   *
   * @param name such as {@code redis}
   * @return the provider
   * @throws LockConfigurationException if there is none of that name, or two
   */
  public static LockProvider provider(String name) {
    return Providers.find(Objects.requireNonNull(name, "name"));
  }
}
