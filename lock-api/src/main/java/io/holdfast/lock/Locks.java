/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * The entry: opens clients.
 *
 * <p>The backend is a matter of configuration: the setting {@code provider} names it, and its
 * module is on the class path or module path. The settings {@code namespace} (default {@code lock})
 * and {@code client-name} (the readable beginning of owner ids) are common to all providers; the
 * rest is the provider's.
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
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(properties, StandardCharsets.UTF_8)) {
      read.load(reader);
    } catch (NoSuchFileException e) {
      throw new LockConfigurationException(
          "There is no lock configuration at " + properties.toAbsolutePath(), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new LockConfigurationException(
          "Cannot read the lock configuration " + properties + ": " + e.getMessage(), e);
    }
    Map<String, String> settings = new HashMap<>();
    read.stringPropertyNames().forEach(key -> settings.put(key, read.getProperty(key)));
    return open(settings);
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
   *     settings goes before the one in here
   * @return an open client, to be closed by the caller
   * @throws LockException as {@link #open(String, Map)}
   */
  public static LockClient open(Map<String, String> settings, ClientOptions options) {
    Map<String, String> rest = new HashMap<>(settings);
    String provider = rest.remove(PROVIDER);
    if (provider == null || provider.isBlank()) {
      throw new LockConfigurationException(
          "The setting 'provider' is missing; on the class path are " + providers());
    }
    return open(provider, rest, options);
  }

  /**
   * Opens a client: connects, and checks what can be checked.
   *
   * @param provider a provider's name, such as {@code redis}
   * @param settings its settings
   * @return an open client, to be closed by the caller
   * @throws LockConfigurationException if there is no such provider, or a setting is wrong
   * @throws LockUnavailableException if the backend does not answer in time
   * @throws LockRejectedException if the backend refuses us
   */
  public static LockClient open(String provider, Map<String, String> settings) {
    return open(provider, settings, ClientOptions.defaults());
  }

  private static LockClient open(
      String provider, Map<String, String> settings, ClientOptions options) {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(options, "options");
    Map<String, String> rest = new HashMap<>(settings);
    String clientName = rest.remove(CLIENT_NAME);
    LockProvider found = Providers.find(provider);
    LockBackend backend = found.open(new Settings(provider, rest));
    return using(backend, clientName == null ? options : options.withClientName(clientName));
  }

  /**
   * Puts a client on an open backend; the client closes it with itself.
   *
   * @param backend the backend
   * @return an open client, to be closed by the caller
   */
  public static LockClient using(LockBackend backend) {
    return using(backend, ClientOptions.defaults());
  }

  /**
   * Puts a client on an open backend; the client closes it with itself.
   *
   * @param backend the backend
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   */
  public static LockClient using(LockBackend backend, ClientOptions options) {
    return EngineClient.open(backend, options);
  }

  /**
   * The providers that can be found from here.
   *
   * @return their names, sorted
   */
  public static List<String> providers() {
    return Providers.names();
  }

  /**
   * A provider, which can be asked what it promises without a connection.
   *
   * @param name such as {@code redis}
   * @return the provider
   * @throws LockConfigurationException if there is none of that name, or two
   */
  public static LockProvider provider(String name) {
    return Providers.find(Objects.requireNonNull(name, "name"));
  }
}
