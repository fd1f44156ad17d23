/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.engine.Providers;
import io.holdfast.lock.limit.engine.EngineLimiter;
import io.holdfast.lock.limit.engine.LimitTerms;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.HashMap;
import java.util.Map;

/**
 * The entry point: opens limiters, on the providers of locks that have them ({@code redis}).
 *
 * <p>The settings are those of the provider and these, all of which are needed: {@code permits}
 * (such as 100), {@code window} (such as {@code 1m}) and {@code when-unavailable} ({@code allow} or
 * {@code refuse}: the answer while the server does not answer).
 */
public final class RateLimiters {

  private RateLimiters() {}

  /**
   * Opens a limiter from settings that name the provider under {@code provider}.
   *
   * @param settings keys and values
   * @return an open limiter, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link #open(LockProvider, Settings, RateLimit,
   *     ClientOptions)}
   */
  public static RateLimiter open(Map<String, String> settings) {
    return open(settings, ClientOptions.defaults());
  }

  /**
   * Opens a limiter from settings that name the provider under {@code provider}.
   *
   * @param settings keys and values
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link #open(LockProvider, Settings, RateLimit,
   *     ClientOptions)}
   */
  public static RateLimiter open(Map<String, String> settings, ClientOptions options) {
    Map<String, String> rest = new HashMap<>(settings);
    rest.remove("client-name");
    String name = rest.remove("provider");
    if (name == null || name.isBlank()) {
      throw new LockConfigurationException(
          "The setting 'provider' is missing; on the class path are " + Providers.names());
    }
    LockProvider provider = Providers.find(name);
    Settings read = new Settings(name, rest);
    return open(provider, read, LimitTerms.required(read), options);
  }

  /**
   * Opens the limiter of a scenario with the preset {@code rate-limit}, as the file {@code
   * holdfast.properties}, the environment and the system properties configure it; see {@link
   * LockConfig#load()}. Its settings are {@code permits} (needed), {@code window} (1s by default)
   * and {@code when-unavailable} ({@code allow} by default); each scenario counts separately.
   *
   * @param scenario its name
   * @return an open limiter, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link LockConfig#openLimiter}
   */
  public static RateLimiter forScenario(String scenario) {
    return LockConfig.load().openLimiter(scenario, ClientOptions.defaults());
  }

  /**
   * Opens a limiter: connects, and checks what can be checked.
   *
   * @param provider of locks
   * @param settings its settings
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller
   * @throws LockConfigurationException if the provider has no limiters, or a setting is wrong
   * @throws io.holdfast.lock.LockUnavailableException if the server does not answer in time
   * @throws io.holdfast.lock.LockRejectedException if the server refuses the client
   */
  public static RateLimiter open(
      LockProvider provider, Settings settings, RateLimit limit, ClientOptions options) {
    return EngineLimiter.open(provider, settings, limit, options);
  }

  /**
   * Puts a limiter on an open backend, which is closed with it.
   *
   * @param backend the backend
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller
   */
  public static RateLimiter using(LimiterBackend backend, RateLimit limit, ClientOptions options) {
    return new EngineLimiter(backend, limit, options);
  }
}
