/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.health.ServerReport;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** Describes where a run took place. */
final class Environment {

  private Environment() {}

  static Map<String, String> here(List<ServerReport> servers) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("Holdfast", version());
    String told =
        servers.stream().map(Environment::server).distinct().collect(Collectors.joining(", "));
    facts.put("servers", told.isEmpty() ? "do not tell" : told);
    facts.put("JDK", Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
    facts.put(
        "system",
        "%s %s, %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")));
    facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    return facts;
  }

  private static String server(ServerReport report) {
    return (report.server() + " " + report.version()).strip();
  }

  private static String version() {
    Properties kit = new Properties();
    try {
      kit.load(new StringReader(Page.resource("kit.properties")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kit.getProperty("version", "");
  }
}
