/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.cli.Main;
import io.holdfast.lock.cli.PatientSettings;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code holdfast run --name nightly} as a process of its own. */
final class HoldfastRun {

  private HoldfastRun() {}

  static ChildJvm start(String... options) {
    List<String> all = new ArrayList<>(List.of("run", "--name", "nightly"));
    all.addAll(List.of(options));
    return ChildJvm.start(Main.class, all.toArray(String[]::new));
  }

  /** With a lock of a server that answers until the end. */
  static ChildJvm redis(RedisServer server, String... options) {
    List<String> more = new ArrayList<>(PatientSettings.options());
    more.addAll(List.of(options));
    return startAt(server, more);
  }

  /** Asks again instead of waiting for an answer, as nobody does for a server that hangs. */
  static ChildJvm redisUntilItHangs(RedisServer server, String... options) {
    List<String> more = new ArrayList<>(List.of("--wait", "1m"));
    more.addAll(List.of(options));
    return startAt(server, more);
  }

  private static ChildJvm startAt(RedisServer server, List<String> options) {
    List<String> all = new ArrayList<>(List.of("--provider", "redis", "--set"));
    all.add("uri=" + uri(server));
    all.addAll(options);
    return start(all.toArray(String[]::new));
  }

  /** Of a client of that server. */
  static Map<String, String> settings(RedisServer server) {
    return PatientSettings.with(Map.of("uri", uri(server)));
  }

  static String uri(Server server) {
    return "redis://" + server.host() + ":" + server.port();
  }
}
