/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.cli.Cli;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.PgBouncer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that each fault of a server's configuration is found, and named with the promise it
 * touches.
 */
class DoctorTest {

  @Test
  void redisThatKeepsEverythingIsWell() {
    try (RedisServer server =
        RedisServer.launch("--appendonly", "yes", "--appendfsync", "always")) {
      Cli found = doctor(url(server));
      assertEquals(ExitCodes.OK, found.code(), found.toString());
      assertEquals("ok", found.field("worst"));
      assertTrue(found.out().contains("clock"), found.out());
    }
  }

  @Test
  void redisThatForgetsAndEvicts() {
    try (RedisServer server =
        RedisServer.launch(
            "--save",
            "",
            "--appendonly",
            "no",
            "--maxmemory",
            "100mb",
            "--maxmemory-policy",
            "allkeys-lru")) {
      Cli found = doctor(url(server));
      assertEquals(ExitCodes.NO, found.code(), found.toString());
      assertFound(found, "broken", "exclusion", "evicted when memory is short");
      assertFound(found, "warning", "exclusion", "a restart forgets all locks");
      server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      found = doctor(url(server));
      assertEquals(ExitCodes.WARNING, found.code(), found.toString());
      assertFound(found, "ok", "exclusion", "No key is evicted");
      server.command("CONFIG", "SET", "appendonly", "yes");
      found = doctor(url(server));
      assertFound(found, "warning", "exclusion", "appendfsync everysec");
    }
  }

  @Test
  void redisWithReplicasThatNobodyWaitsFor() {
    try (RedisServer server = RedisServer.launch();
        RedisServer replica = RedisServer.launch("--replicaof", "127.0.0.1 " + server.port())) {
      Conditions.until(
          "the replica is there",
          Duration.ofSeconds(60),
          () -> server.command("INFO", "replication").contains("connected_slaves:1"));
      assertFound(
          doctor(url(server)), "warning", "exclusion", "There are 1 replica(s), which get locks");
      Cli waited = doctor(url(server), "--set", "wait-replicas=1", "--set", "command-timeout=10s");
      assertFound(waited, "ok", "exclusion", "1 of 1 replica(s) confirm each lock");
      assertTrue(replica.port() > 0);
    }
  }

  @Test
  void redisUserWhoMayNotLook() {
    try (RedisServer server = RedisServer.launch()) {
      server.command(
          "ACL",
          "SETUSER",
          "app",
          "on",
          ">secret",
          "~lock:*",
          "~lock#token",
          "&lock:*",
          "+@all",
          "-info",
          "-config",
          "-client");
      Cli found = doctor("redis://app:secret@localhost:" + server.port());
      assertEquals(ExitCodes.WARNING, found.code(), found.toString());
      assertFound(found, "warning", "clean up", "may not use INFO");
      assertTrue(!found.toString().contains("secret"), found.toString());
    }
  }

  @Test
  void sessionsThatOutlastTheTtl() {
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      String url = "zookeeper://localhost:" + server.port();
      Cli found = doctor(url, "--ttl", "1s", "--set", "session-timeout=8s");
      assertFound(found, "warning", "take over", "session time-out of 8 s");
      assertFound(found, "warning", "availability", "any one stops all locks");
      assertFound(found, "warning", "access", "The ACL of locks is open");
      found = doctor(url, "--set", "acl=creator", "--set", "auth=a:b", "--set", "root=/private");
      assertFound(found, "ok", "access", "not open");
      assertTrue(found.out().contains("\"version\":\"3."), found.out());
      String lines = Cli.run("doctor", "--backend", url).out();
      assertTrue(lines.contains("\n  ok       nothing to report"), lines);
      found = doctor(url + ",localhost:1", "--ttl", "30s", "--set", "session-timeout=8s");
      assertFound(found, "warning", "availability", "This server does not answer");
      found = doctor(url, "--ttl", "30s", "--set", "session-timeout=8s");
      assertFound(found, "ok", "take over", "session time-out of 8 s");
    }
  }

  @Test
  void postgres() {
    try (PostgresServer server = PostgresServer.launch()) {
      Cli found = postgres(server.url(), "postgres-advisory", "--ttl", "2s");
      // The servers of tests need not survive a power cut.
      assertEquals(ExitCodes.NO, found.code(), found.toString());
      assertFound(found, "broken", "fencing", "fsync off");
      assertFound(found, "warning", "take over", "session time-out of 15 s");
      assertTrue(!found.out().contains("clock"), found.out());
      found = postgres(server.url(), "postgres-table");
      assertFound(found, "ok", "exclusion", "No standby");
      assertTrue(found.out().contains("The server's clock"), found.out());
      try (PostgresServer standby = PostgresServer.launchStandby(server)) {
        Conditions.until(
            "the standby follows",
            Duration.ofSeconds(60),
            () -> !server.ask("SELECT pid FROM pg_stat_replication").isEmpty());
        found = postgres(server.url(), "postgres-table");
        assertFound(found, "warning", "exclusion", "with tokens that are not new");
        found = postgres(server.url(), "postgres-advisory");
        assertFound(found, "warning", "exclusion", "in the memory of the primary");
        found = postgres(standby.url(), "postgres-advisory");
        assertEquals(ExitCodes.UNAVAILABLE, found.code(), found.toString());
        assertFound(found, "broken", "availability", "this is a standby");
      }
      assumeTrue(PgBouncer.isAvailable());
      try (PgBouncer pooler = PgBouncer.launch(server, "transaction", 2)) {
        found = postgres(pooler.url(), "postgres-advisory");
        assertEquals(ExitCodes.UNAVAILABLE, found.code(), found.toString());
        assertFound(found, "broken", "availability", "PgBouncer");
      }
    }
  }

  @Test
  void nobodyIsThere() {
    Cli found = doctor("redis://localhost:1");
    assertEquals(ExitCodes.UNAVAILABLE, found.code());
    assertFound(found, "broken", "availability", "cannot be reached");
  }

  private static void assertFound(Cli found, String severity, String promise, String text) {
    String finding =
        "\"severity\":\"" + severity + "\",\"promise\":\"" + promise + "\",\"text\":\"";
    boolean is =
        List.of(found.out().split("\\{", -1)).stream()
            .anyMatch(one -> one.startsWith(finding) && one.contains(text));
    assertTrue(is, severity + " " + promise + " " + text + " is not in " + found);
  }

  private static Cli postgres(String url, String provider, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--provider",
                provider,
                "--set",
                "username=holdfast",
                "--set",
                "create-schema=true"));
    all.addAll(List.of(more));
    return doctor(url, all.toArray(String[]::new));
  }

  private static Cli doctor(String url, String... more) {
    List<String> all = new ArrayList<>(List.of("doctor", "--json", "--backend", url));
    all.addAll(List.of("--set", "connect-timeout=30s"));
    all.addAll(List.of(more));
    return Cli.run(all.toArray(String[]::new));
  }

  private static String url(Server server) {
    return "redis://localhost:" + server.port();
  }
}
