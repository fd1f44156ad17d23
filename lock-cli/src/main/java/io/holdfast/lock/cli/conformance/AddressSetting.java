/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.conformance;

import io.holdfast.lock.servers.TcpProxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the address of the one server in the settings, so that another can be put there. There is
 * none if there are several servers, or if clients would notice: with TLS the name of the host is
 * compared, and behind sentinels and in a cluster servers tell addresses themselves.
 *
 * @param settings of the backend
 * @param key of the setting that has the address
 * @param before the address in that setting
 * @param host of the server
 * @param port of the server
 * @param after the address in that setting
 */
record AddressSetting(
    Map<String, String> settings, String key, String before, String host, int port, String after) {

  private record Place(String key, Pattern scheme, int port) {}

  private static final List<Place> PLACES =
      List.of(
          new Place("uri", Pattern.compile("redis://(?:[^@/]*@)?"), 6379),
          new Place("connect", Pattern.compile(""), 2181),
          new Place("endpoints", Pattern.compile("http://"), 2379),
          new Place("url", Pattern.compile("jdbc:postgresql://"), 5432));

  /** A name or an address of either kind, a port, and whatever follows it that is no other host. */
  private static final Pattern REST =
      Pattern.compile("([^\\s:/?#,@\\[\\]]+|\\[[0-9a-fA-F:.]+])(?::(\\d{1,5}))?([/?#][^,]*)?");

  static Optional<AddressSetting> in(Map<String, String> settings) {
    return PLACES.stream()
        .filter(place -> settings.containsKey(place.key))
        .findFirst()
        .flatMap(place -> read(settings, place));
  }

  private static Optional<AddressSetting> read(Map<String, String> settings, Place place) {
    String text = settings.getOrDefault(place.key, "").trim();
    Matcher scheme = place.scheme.matcher(text);
    if (!scheme.lookingAt()) {
      return Optional.empty();
    }
    Matcher rest = REST.matcher(text.substring(scheme.end()));
    if (!rest.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new AddressSetting(
            settings,
            place.key,
            scheme.group(),
            rest.group(1),
            rest.group(2) == null ? place.port : Integer.parseInt(rest.group(2)),
            rest.group(3) == null ? "" : rest.group(3)));
  }

  /** The same settings with the link in place of the server. */
  Map<String, String> through(TcpProxy link) {
    Map<String, String> changed = new HashMap<>(settings);
    changed.put(key, before + link.host() + ":" + link.port() + after);
    return changed;
  }

  /** Shows where it leads; there may be secrets in the settings. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
