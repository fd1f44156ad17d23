/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import java.util.Map;
import java.util.Optional;

/**
 * Opens locks over a connection that the application has: one implementation for each kind of
 * connection, which is loaded only if that is on the class path.
 */
interface ReadyConnection {

  /** Opens a client, which does not close the bean. */
  LockClient open(
      Object bean, String provider, Map<String, String> settings, ClientOptions options);

  /** Opens a limiter, if there is one for this kind. */
  default Optional<RateLimiter> openLimiter(
      Object bean, Map<String, String> settings, RateLimit limit, ClientOptions options) {
    return Optional.empty();
  }
}
