/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.Locks;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Examples of the addresses of backends, for those whose providers are on the class path. */
final class Addresses {

  private static final List<String> EXAMPLES =
      List.of(
          "redis://localhost:6379",
          "rediss://localhost:6379",
          "etcd://localhost:2379",
          "etcds://localhost:2379",
          "zookeeper://localhost:2181",
          "jdbc:postgresql://localhost/app",
          "memory:");

  private Addresses() {}

  /** The providers for which an address may be meant. */
  static List<String> knowing(String url) {
    return Locks.providers().stream()
        .filter(name -> Locks.provider(name).settingsOf(url).isPresent())
        .toList();
  }

  /** How an address may begin. */
  static String beginnings() {
    return EXAMPLES.stream()
        .filter(url -> !knowing(url).isEmpty())
        .map(url -> url.replaceFirst("localhost.*", ""))
        .collect(Collectors.joining(", "));
  }

  /** How to name a backend of a provider, for somebody who gave the provider's name only. */
  static String optionsFor(String provider) {
    Optional<String> example =
        EXAMPLES.stream().filter(url -> knowing(url).contains(provider)).findFirst();
    if (example.isEmpty()) {
      return "give --provider " + provider + " and its addresses with --set";
    }
    String url = example.get();
    String address =
        "give its address, such as --backend "
            + url
            + (knowing(url).size() > 1 ? " --provider " + provider : "");
    return Locks.provider(provider).settingsOf(url).orElseThrow().entrySet().stream()
        .map(set -> ", or --provider %s --set %s=…".formatted(provider, set.getKey()))
        .limit(1)
        .reduce(address, String::concat);
  }
}
