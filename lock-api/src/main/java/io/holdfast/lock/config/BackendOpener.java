/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import java.util.Map;
import java.util.Optional;

/**
 * Opens backends over connections that the application has already, instead of by their addresses.
 * Given to {@link LockConfig#withOpener}; called on the thread that needs the backend first.
 */
@FunctionalInterface
public interface BackendOpener {

  /**
   * Opens a client for the locks of a backend.
   *
   * @param backend its name in the configuration
   * @param provider the name of its provider
   * @param settings of the provider, {@code namespace} among them; may hold secrets
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller; empty to have the backend opened by its
   *     address
   * @throws io.holdfast.lock.LockException as {@link LockConfig#open}
   */
  Optional<LockClient> open(
      String backend, String provider, Map<String, String> settings, ClientOptions options);

  /**
   * Opens a limiter of a backend.
   *
   * @param backend its name in the configuration
   * @param provider the name of its provider
   * @param settings of the provider; the namespace is that of the scenario's limiter
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller; empty to have it opened by its address
   * @throws io.holdfast.lock.LockException as {@link LockConfig#openLimiter}
   */
  default Optional<RateLimiter> openLimiter(
      String backend,
      String provider,
      Map<String, String> settings,
      RateLimit limit,
      ClientOptions options) {
    return Optional.empty();
  }
}
