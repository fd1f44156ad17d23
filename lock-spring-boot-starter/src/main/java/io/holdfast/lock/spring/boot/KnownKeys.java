/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings that Holdfast itself knows. Spring lets people write {@code connectTimeout} and
 * {@code CONNECTTIMEOUT}, which has to be read as one of these. Others, of other backends, pass as
 * they are written.
 */
final class KnownKeys {

  /** The backend's connection is a bean of this name. */
  static final String BEAN = "bean";

  /** Those of each backend, whatever its provider. */
  static final List<String> BACKEND =
      List.of(
          "provider",
          "url",
          BEAN,
          "namespace",
          "client-name",
          "connect-timeout",
          "command-timeout",
          "uri",
          "uris",
          "connect",
          "endpoints",
          "username",
          "password",
          "database",
          "wait-replicas",
          "restart-delay",
          "session-timeout",
          "root",
          "auth",
          "acl",
          "schema",
          "create-schema",
          "pooler",
          "pool-size",
          "tls",
          "tls-hostname-verification",
          "tls-truststore",
          "tls-truststore-password",
          "tls-keystore",
          "tls-keystore-password");

  /** Those of each scenario. */
  static final List<String> SCENARIO =
      List.of(
          "preset",
          "backend",
          "ttl",
          "renewal",
          "retry-initial",
          "retry-max",
          "retry-jitter",
          "retry-attempts",
          "hand-over",
          "min-hold",
          "max-hold",
          "lock-delay",
          "early-warning",
          "accept-weaker",
          "sharing",
          "permits",
          "window",
          "when-unavailable");

  private static final Map<String, String> BACKEND_FORMS =
      BACKEND.stream()
          .flatMap(key -> Stream.of(key, key + "-file", key + "-env"))
          .collect(Collectors.toUnmodifiableMap(KnownKeys::uniform, Function.identity()));
  private static final Map<String, String> SCENARIO_FORMS =
      SCENARIO.stream()
          .collect(Collectors.toUnmodifiableMap(KnownKeys::uniform, Function.identity()));

  private KnownKeys() {}

  /** As Spring compares names: in small letters, without hyphens. */
  static String uniform(String name) {
    return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }

  static boolean isOfABackend(String written) {
    return BACKEND_FORMS.containsKey(uniform(written));
  }

  /** The setting that is meant. */
  static String setting(String section, String written) {
    return (section.equals("scenario") ? SCENARIO_FORMS : BACKEND_FORMS)
        .getOrDefault(uniform(written), dashed(written));
  }

  /** {@code connectTimeout} as {@code connect-timeout}. */
  static String dashed(String written) {
    return written
        .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
        .replace('_', '-')
        .toLowerCase(Locale.ROOT);
  }
}
