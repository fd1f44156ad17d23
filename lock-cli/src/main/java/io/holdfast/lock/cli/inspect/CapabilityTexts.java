/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.health.ServerReport;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The promises of a backend, in words. */
final class CapabilityTexts {

  private CapabilityTexts() {}

  /** The same words as in the documentation. */
  static String words(Enum<?> fact) {
    return fact.name().toLowerCase(Locale.ROOT).replace('_', ' ').replace("ttl", "TTL");
  }

  /** The name of a fact, as it is written in JSON, in words. */
  static String title(String key) {
    return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  static Map<String, Object> json(Capabilities promised) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("fencing", words(promised.fencing()));
    json.put("lifetime", words(promised.lifetime()));
    json.put("ordering", words(promised.ordering()));
    json.put("wakeUp", words(promised.wakeUp()));
    json.put("expiryClock", words(promised.expiryClock()));
    json.put("scope", words(promised.scope()));
    json.put("survival", words(promised.survival()));
    json.put("inspection", words(promised.inspection()));
    json.put("retention", words(promised.retention()));
    json.put("sharing", words(promised.sharing()));
    return json;
  }

  /** Which server it is; others may be added. */
  static Map<String, Object> json(ServerReport server) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("server", server.server());
    json.put("version", server.version().isEmpty() ? null : server.version());
    return json;
  }
}
