/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The parameters that a {@link ChildJvm} gets at its start, by its standard input. Not by its
 * arguments: everybody on the host sees those, and there may be a password among them.
 */
public final class StartupParameters {

  private StartupParameters() {}

  /**
   * Tells a child.
   *
   * @param child which will read it first of all
   * @param facts by name
   * @throws java.io.UncheckedIOException if the child does not read
   */
  public static void send(ChildJvm child, Map<String, String> facts) {
    facts.forEach((name, value) -> child.send(encoded(name) + "=" + encoded(value)));
    child.send("");
  }

  /**
   * Reads what was sent, and no more.
   *
   * @param input the child's standard input
   * @return facts by name
   * @throws IOException if it cannot be read
   */
  public static Map<String, String> read(BufferedReader input) throws IOException {
    Map<String, String> facts = new HashMap<>();
    for (String line = input.readLine(); line != null && !line.isEmpty(); line = input.readLine()) {
      String[] pair = line.split("=", 2);
      facts.put(decoded(pair[0]), decoded(pair[1]));
    }
    return facts;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
