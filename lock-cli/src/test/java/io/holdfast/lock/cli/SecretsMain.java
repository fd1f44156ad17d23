/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.tck.rules.FullLogging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Gives commands for backends with a password, and shows what they show and log. */
final class SecretsMain {

  /** The last line of every process. */
  static final String ENDED = "@ended";

  private static final String DEAD = "127.0.0.1:1";

  private SecretsMain() {}

  /**
   * Runs.
   *
   * @param args a password, and a directory for files
   */
  public static void main(String[] args) throws IOException {
    System.setErr(System.out);
    FullLogging.captureJavaLogging();
    for (String address : addresses(args[0])) {
      show(Cli.run("status", "--backend", address));
      show(Cli.run("doctor", "--backend", address, "--provider", "postgres-table"));
      show(Cli.run("who", "x", "--set", "url=" + address, "--provider", "postgres-row"));
      Path file = Path.of(args[1], "holdfast.properties");
      Files.writeString(file, "backend.main.url=" + address + "\nscenario.jobs.ttl=9s\n");
      show(Cli.run("list", "--scenario", "jobs", "--config", file.toString()));
    }
    for (List<String> backend : backends(args[0])) {
      List<String> command = new ArrayList<>(List.of("status", "--provider"));
      command.addAll(backend);
      show(Cli.run(command.toArray(String[]::new)));
    }
    System.out.println(ENDED);
  }

  private static List<String> addresses(String secret) {
    return List.of(
        "redis://kit:" + secret + "@" + DEAD,
        "redis://kit:" + secret + "@localhost:port",
        "redis-sentinel://kit:" + secret + "@" + DEAD + "/0#prime",
        "redis-cluster://kit:" + secret + "@" + DEAD,
        "redis://kit:" + secret + "@" + DEAD + ",redis://kit:" + secret + "@127.0.0.1:2",
        "zookeeper://kit:" + secret + "@" + DEAD,
        "etcd://kit:" + secret + "@" + DEAD,
        "jdbc:postgresql://kit:" + secret + "@" + DEAD + "/app",
        "jdbc:postgresql://" + DEAD + "/app;password=" + secret,
        "jdbc:postgresql://" + DEAD + "/app?user=kit&password=" + secret,
        "postgresql://kit:" + secret + "@" + DEAD + "/app",
        "http://kit:" + secret + "@" + DEAD,
        "kit:" + secret + "@" + DEAD);
  }

  private static List<List<String>> backends(String secret) {
    return List.of(
        List.of("redis", "--set", "uri=redis://" + DEAD, "--set", "password=" + secret),
        List.of(
            "redlock",
            "--set",
            "uris=redis://" + DEAD + ",redis://127.0.0.1:2,redis://127.0.0.1:3",
            "--set",
            "password=" + secret),
        List.of(
            "zookeeper",
            "--set",
            "connect=" + DEAD,
            "--set",
            "auth=kit:" + secret,
            "--set",
            "connect-timeout=1s"),
        List.of("zookeeper", "--set", "connect=" + DEAD, "--set", "auth=" + secret),
        List.of(
            "etcd",
            "--set",
            "endpoints=" + DEAD,
            "--set",
            "username=kit",
            "--set",
            "password=" + secret,
            "--set",
            "connect-timeout=1s"),
        List.of(
            "postgres-advisory",
            "--set",
            "url=jdbc:postgresql://" + DEAD + "/app",
            "--set",
            "username=kit",
            "--set",
            "password=" + secret),
        List.of("redis", "--set", "pasword=" + secret, "--set", "uri=redis://" + DEAD));
  }

  private static void show(Cli shown) {
    System.out.println(shown.code() + " " + shown.out() + shown.err());
  }
}
