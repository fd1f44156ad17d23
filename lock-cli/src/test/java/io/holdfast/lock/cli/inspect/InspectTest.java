/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.cli.Cli;
import io.holdfast.lock.cli.PatientSettings;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that look at locks, and the one that takes them away, at real servers. */
class InspectTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String NAME = "order/1: \"ü\" \u001b[2J";
  private static final String SHOWN = "order/1: \"ü\" \\u001b[2J";
  private static final String IN_JSON = "order/1: \\\"\\u00fc\\\" \\u001b[2J";

  @TempDir private Path directory;

  @Test
  void redis() throws Exception {
    try (Server server = RedisServer.launch()) {
      assertAll("redis", Map.of("uri", "redis://localhost:" + server.port()));
    }
  }

  /** A user who may take locks, but not list them. */
  @Test
  void statusOfAUserWhoMayNotLookForLocks() {
    try (RedisServer server = RedisServer.launch()) {
      String[] user = {"ACL", "SETUSER", "app", "on", ">secret", "~lock:*", "~lock#token"};
      server.command(
          Stream.concat(Stream.of(user), Stream.of("&lock:*", "+@all", "-scan"))
              .toArray(String[]::new));
      String url = "redis://app:secret@localhost:" + server.port();
      Cli lines = status(url);
      assertEquals(ExitCodes.OK, lines.code(), lines.toString());
      assertTrue(lines.out().contains("  held          not known ("), lines.out());
      assertTrue(lines.out().contains("  server  "), lines.out());
      Cli json = status(url, "--json");
      assertEquals("null", json.field("held"));
      assertTrue(json.field("heldNotKnown").contains("refused"), json.out());
    }
  }

  @Test
  void redlock() throws Exception {
    List<RedisServer> servers = Stream.generate(RedisServer::launch).limit(3).toList();
    try {
      String uris =
          servers.stream()
              .map(server -> "redis://localhost:" + server.port())
              .collect(Collectors.joining(","));
      assertAll("redlock", Map.of("uris", uris, "restart-delay", "none"));
    } finally {
      servers.forEach(Server::close);
    }
  }

  @Test
  void zooKeeper() throws Exception {
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      assertAll("zookeeper", Map.of("connect", "localhost:" + server.port()));
    }
  }

  @Test
  void etcd() throws Exception {
    try (Server server = EtcdServer.launch()) {
      assertAll("etcd", Map.of("endpoints", "http://localhost:" + server.port()));
    }
  }

  @Test
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      for (String provider : List.of("postgres-advisory", "postgres-table", "postgres-row")) {
        assertAll(
            provider,
            Map.of("url", server.url(), "username", PostgresServer.USER, "create-schema", "true"));
      }
    }
  }

  private static Cli status(String url, String... more) {
    List<String> command = new ArrayList<>(List.of("status", "--backend", url));
    command.addAll(PatientSettings.options());
    command.addAll(List.of(more));
    return Cli.run(command.toArray(String[]::new));
  }

  private void assertAll(String provider, Map<String, String> settings) throws Exception {
    Map<String, String> all = PatientSettings.with(settings);
    all.put("provider", provider);
    Path config = directory.resolve(provider + ".properties");
    Files.write(config, all.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
    try (LockClient client = Locks.open(all)) {
      String token;
      assertFree(config);
      try (Lease lease = client.lock(NAME).acquire(PATIENCE)) {
        assertSeen(config, lease, client.capabilities().inspection());
        assertExamined(config, provider);
        assertKeptUntilSomebodySaysYes(config, lease);
        token = Long.toString(lease.fencingToken());
      }
      assertFree(config);
      Cli again = run(config, "release", "--force", NAME, "--yes", "--json");
      assertEquals(ExitCodes.NO, again.code(), again.toString());
      assertEquals("false", again.field("released"));
      try (Lease next = client.lock(NAME).acquire(PATIENCE)) {
        assertTrue(next.fencingToken() > Long.parseLong(token));
      }
    }
  }

  private static void assertFree(Path config) {
    Cli free = run(config, "who", NAME);
    assertEquals(ExitCodes.NO, free.code(), free.toString());
    assertTrue(free.out().contains("'" + SHOWN + "' is free"), free.out());
    assertEquals("[]", run(config, "who", NAME, "--json").out().strip());
    assertEquals("[]", run(config, "list", "--json").out().strip());
  }

  private static void assertSeen(Path config, Lease lease, Inspection told) {
    Cli who = run(config, "who", NAME, "--json");
    assertEquals(ExitCodes.OK, who.code(), who.toString());
    assertTrue(who.out().contains("\"lock\":\"" + IN_JSON + "\""), who.out());
    assertEquals("lock", who.field("mode"));
    if (told == Inspection.OWNER || told == Inspection.OWNER_AND_TOKEN) {
      assertEquals(lease.ownerId(), who.field("owner"));
      assertTrue(lease.ownerId().startsWith(who.field("client") + "-"), who.out());
      String sheet = run(config, "who", NAME).out();
      assertTrue(sheet.contains("client      " + who.field("client")), sheet);
    }
    if (told == Inspection.OWNER_AND_TOKEN) {
      assertEquals(Long.toString(lease.fencingToken()), who.field("token"));
    }
    Cli list = run(config, "list");
    assertEquals(2, list.out().lines().count(), list.toString());
    assertTrue(list.out().contains(SHOWN), list.out());
    assertFalse(list.out().contains("\u001b"), list.out());
    Cli status = run(config, "status", "--json");
    assertEquals("1", status.field("held"));
    assertEquals(ExitCodes.OK, run(config, "status").code());
  }

  private static void assertExamined(Path config, String provider) {
    Cli doctor = run(config, "doctor", "--json");
    // The servers of tests need not survive a power cut.
    int expected = provider.startsWith("postgres") ? ExitCodes.NO : ExitCodes.WARNING;
    assertEquals(expected, doctor.code(), doctor.toString());
    assertEquals(provider, doctor.field("provider"));
    assertTrue(doctor.out().contains("A round trip takes"), doctor.out());
    assertEquals(doctor.code(), run(config, "doctor").code());
  }

  private static void assertKeptUntilSomebodySaysYes(Path config, Lease lease) throws Exception {
    CompletableFuture<Loss> loss = lease.loss().copy();
    assertEquals(ExitCodes.USAGE, run(config, "release", "--force", NAME).code());
    Cli no = answering("y\n", config, "release", "--force", NAME);
    assertEquals(ExitCodes.NO, no.code(), no.toString());
    assertTrue(no.err().contains("fencing tokens"), no.err());
    Cli nothing = answering("", config, "release", "--force", NAME);
    assertEquals(ExitCodes.NO, nothing.code(), nothing.toString());
    assertEquals(ExitCodes.OK, run(config, "who", NAME).code(), "it is held still");
    assertTrue(lease.isValid());
    Cli yes = answering("yes\n", config, "release", "--force", NAME);
    assertEquals(ExitCodes.OK, yes.code(), yes.toString());
    loss.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertFalse(lease.isValid());
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines", "screen"})
  void watchShowsWhatChanges(String how) throws Exception {
    try (Server server = RedisServer.launch();
        LockClient client =
            Locks.open(
                "redis",
                PatientSettings.with(Map.of("uri", "redis://localhost:" + server.port())))) {
      Path config = directory.resolve(how + ".properties");
      List<String> lines = new ArrayList<>(PatientSettings.lines("backend.main."));
      lines.add("backend.main.url=redis://localhost:" + server.port());
      Files.write(config, lines);
      String[] watch = {"watch", "--for", "5s", "--interval", "50ms"};
      CompletableFuture<Cli> watching =
          CompletableFuture.supplyAsync(
              () ->
                  how.equals("screen")
                      ? answering("", config, watch)
                      : run(config, "watch", "--for", "5s", "--interval", "50ms", "--json"),
              task -> new Thread(task, "watching").start());
      long end = System.nanoTime() + PATIENCE.toNanos();
      List<String> owners = new ArrayList<>();
      // A busy machine may begin to watch late, and has to see both that it is held and free.
      while (!watching.isDone() && System.nanoTime() < end) {
        try (Lease lease = client.lock("a").acquire(PATIENCE)) {
          owners.add(lease.ownerId());
          pause();
        }
        pause();
      }
      Cli seen = watching.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEquals(ExitCodes.OK, seen.code(), seen.toString());
      assertTrue(owners.stream().anyMatch(seen.out()::contains), seen + " " + owners);
      if (how.equals("screen")) {
        assertTrue(seen.out().startsWith("\033[H") && seen.out().contains("0 held"), seen.out());
      } else {
        assertTrue(seen.out().contains("\"change\":\"held\""), seen.out());
        seen.out()
            .lines()
            .filter(line -> line.contains("\"change\":\"free\""))
            .forEach(line -> assertTrue(line.contains("\"expiresInMs\":null"), line));
        assertTrue(
            seen.out().contains("\"change\":\"free\"")
                || seen.out().contains("\"change\":\"passed on\""),
            seen.out());
      }
    }
  }

  private static void pause() {
    CompletableFuture.runAsync(
            () -> {}, CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS))
        .join();
  }

  private static Cli run(Path config, String... args) {
    return Cli.run(with(config, args));
  }

  private static Cli answering(String typed, Path config, String... args) {
    return Cli.answering(typed, with(config, args));
  }

  private static String[] with(Path config, String... args) {
    return Stream.concat(Stream.of(args), Stream.of("--config", config.toString()))
        .toArray(String[]::new);
  }
}
