/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.cli.Main;
import io.holdfast.lock.cli.PatientSettings;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands under locks of real servers, each {@code holdfast run} as a process of its own. */
class RunTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ECHO =
      "echo lock=$HOLDFAST_LOCK token=$HOLDFAST_TOKEN owner=$HOLDFAST_OWNER; exit 7";

  @TempDir private Path directory;

  @Test
  void redisHoldsTheLockWhileTheCommandRuns() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      assertRuns(Map.of("provider", "redis", "uri", HoldfastRun.uri(server)));
    }
  }

  @Test
  void redlockHoldsTheLockWhileTheCommandRuns() throws Exception {
    try (RedisServer a = RedisServer.launch();
        RedisServer b = RedisServer.launch();
        RedisServer c = RedisServer.launch()) {
      String uris = HoldfastRun.uri(a) + "," + HoldfastRun.uri(b) + "," + HoldfastRun.uri(c);
      assertRuns(Map.of("provider", "redlock", "uris", uris, "restart-delay", "none"));
    }
  }

  @Test
  void zooKeeperHoldsTheLockWhileTheCommandRuns() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      assertRuns(Map.of("provider", "zookeeper", "connect", server.host() + ":" + server.port()));
    }
  }

  @Test
  void etcdHoldsTheLockWhileTheCommandRuns() throws Exception {
    try (EtcdServer server = EtcdServer.launch()) {
      String endpoint = "http://" + server.host() + ":" + server.port();
      assertRuns(Map.of("provider", "etcd", "endpoints", endpoint));
    }
  }

  @Test
  void postgresHoldsTheLockWhileTheCommandRuns() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      for (String provider : List.of("postgres-advisory", "postgres-table", "postgres-row")) {
        assertRuns(
            Map.of(
                "provider",
                provider,
                "url",
                server.url(),
                "username",
                PostgresServer.USER,
                "create-schema",
                "true"));
      }
    }
  }

  private void assertRuns(Map<String, String> settings) throws Exception {
    Path config = directory.resolve(settings.get("provider") + ".properties");
    List<String> lines = new ArrayList<>(PatientSettings.lines());
    settings.forEach((key, value) -> lines.add(key + "=" + value));
    Files.write(config, lines);
    try (LockClient client = Locks.open(config);
        ChildJvm run = HoldfastRun.start("--config", config.toString(), "--", "sh", "-c", ECHO)) {
      String said = run.awaitLine(line -> line.startsWith("lock=nightly"), PATIENCE);
      assertEquals(7, run.awaitExit(PATIENCE), run.errors().toString());
      try (Lease next = client.lock("nightly").acquire(PATIENCE)) {
        long token = Long.parseLong(said.replaceFirst(".* token=(\\d+) .*", "$1"));
        assertTrue(token > 0 && token < next.fencingToken(), said);
        assertFalse(said.endsWith("owner="), said);
      }
    }
  }

  @Test
  void theCommandDoesNotGetTheSettingsOfBackends() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      server.command("ACL", "SETUSER", "jobs", "on", ">open-sesame", "~*", "&*", "+@all");
      Map<String, String> environment =
          Map.of(
              "HOLDFAST_BACKEND_MAIN_URL", HoldfastRun.uri(server),
              "HOLDFAST_BACKEND_MAIN_USERNAME", "jobs",
              "HOLDFAST_BACKEND_MAIN_PASSWORD", "open-sesame",
              "HOLDFAST_BACKEND_MAIN_CONNECT_TIMEOUT", "30s",
              "HOLDFAST_BACKEND_MAIN_COMMAND_TIMEOUT", "5s",
              "HOLDFAST_BACKEND_OTHER_URL", "redis://jobs:open-sesame@localhost:1",
              "HOLDFAST_SCENARIO_JOBS_TTL", "9s",
              "KEPT", "kept");
      Path config = Files.createFile(directory.resolve("empty.properties"));
      String[] command = {
        "run", "--name", "nightly", "--backend", "main", "--config", config.toString(), "--", "env"
      };
      List<String> seen = new CopyOnWriteArrayList<>();
      try (ChildJvm run = ChildJvm.start(Main.class, environment, seen::add, command)) {
        assertEquals(0, run.awaitExit(PATIENCE), run.errors().toString());
      }
      assertTrue(seen.contains("HOLDFAST_LOCK=nightly"), seen.toString());
      assertTrue(seen.contains("HOLDFAST_SCENARIO_JOBS_TTL=9s"), seen.toString());
      assertTrue(seen.contains("KEPT=kept"), seen.toString());
      assertTrue(seen.stream().anyMatch(line -> line.startsWith("HOLDFAST_TOKEN=")));
      assertFalse(seen.toString().contains("HOLDFAST_BACKEND_"), seen.toString());
      assertFalse(seen.toString().contains("sesame"), seen.toString());
    }
  }

  @Test
  void doesNotRunTheCommandWhereTheLockIsBusy() throws Exception {
    try (RedisServer server = RedisServer.launch();
        LockClient client = Locks.open("redis", HoldfastRun.settings(server));
        Lease held = client.lock("nightly").acquire()) {
      Path trace = directory.resolve("ran");
      try (ChildJvm run = HoldfastRun.redis(server, "--", "touch", trace.toString())) {
        assertEquals(ExitCodes.BUSY, run.awaitExit(PATIENCE));
        assertTrue(run.errors().toString().contains("'nightly' is busy"), run.errors().toString());
      }
      assertFalse(Files.exists(trace));
      try (ChildJvm run =
          HoldfastRun.redis(server, "--wait", "1m", "--", "touch", trace.toString())) {
        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS).execute(held::release);
        assertEquals(0, run.awaitExit(PATIENCE));
      }
      assertTrue(Files.exists(trace));
    }
  }

  @Test
  void severalLocksAreHeldWhileTheCommandRuns() throws Exception {
    try (RedisServer server = RedisServer.launch();
        LockClient client = Locks.open("redis", HoldfastRun.settings(server))) {
      Path seen = directory.resolve("seen");
      String script =
          "echo $HOLDFAST_LOCK_1=$HOLDFAST_TOKEN_1 $HOLDFAST_LOCK_2=$HOLDFAST_TOKEN_2"
              + " [$HOLDFAST_TOKEN]; while [ ! -e "
              + seen
              + " ]; do sleep 0.1; done";
      try (ChildJvm run = HoldfastRun.redis(server, "--name", "annual", "--", "sh", "-c", script)) {
        String said = run.awaitLine(line -> line.endsWith("[]"), PATIENCE);
        assertTrue(said.matches("nightly=[1-9]\\d* annual=[1-9]\\d* \\[]"), said);
        for (String name : List.of("nightly", "annual")) {
          assertTrue(client.lock(name).tryAcquire().isEmpty(), name);
        }
        try (ChildJvm second = HoldfastRun.redis(server, "--name", "other", "--", "true")) {
          assertEquals(ExitCodes.BUSY, second.awaitExit(PATIENCE));
          String errors = second.errors().toString();
          assertTrue(errors.contains("'nightly, other' is busy"), errors);
        }
        client.lock("other").tryAcquire().orElseThrow().release();
        Files.createFile(seen);
        assertEquals(0, run.awaitExit(PATIENCE), run.errors().toString());
      }
      client.allOf(List.of("nightly", "annual")).tryAcquire().orElseThrow().release();
    }
  }

  @Test
  void theCommandIsToldAndThenKilledWhenTheLockCannotBeKept() throws Exception {
    try (RedisServer server = RedisServer.launch();
        ChildJvm run =
            HoldfastRun.redisUntilItHangs(
                server,
                "--ttl",
                "3s",
                "--grace",
                "1s",
                "--",
                "sh",
                "-c",
                "trap 'echo told' TERM; echo $$; while :; do sleep 60 & wait; done")) {
      long pid = Long.parseLong(run.awaitLine(line -> line.matches("\\d+"), PATIENCE));
      ProcessHandle command = ProcessHandle.of(pid).orElseThrow();
      List<ProcessHandle> whole = new ArrayList<>(List.of(command));
      command.descendants().forEach(whole::add);
      server.suspend();
      run.awaitLine("told"::equals, PATIENCE);
      assertEquals(ExitCodes.LOST, run.awaitExit(PATIENCE), run.errors().toString());
      for (ProcessHandle one : whole) {
        one.onExit().get(30, TimeUnit.SECONDS);
      }
      server.resume();
    }
  }

  /** A host whose clock is late, or whose job is short, does not run it once more. */
  @Test
  void theLockStaysTakenForItsMinimumHold() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      assertFails(
          0, "", HoldfastRun.redis(server, "--ttl", "30s", "--min-hold", "25s", "--", "true"));
      long left = Long.parseLong(server.command("PTTL", "lock:nightly"));
      assertTrue(left > 0 && left <= 25_000, "milliseconds left: " + left);
      assertFails(ExitCodes.BUSY, "is busy", HoldfastRun.redis(server, "--", "true"));
    }
  }

  @Test
  void theCommandEndsBeforeItsMaximumHold() throws Exception {
    try (RedisServer server = RedisServer.launch();
        LockClient client = Locks.open("redis", HoldfastRun.settings(server))) {
      long begin = System.nanoTime();
      String script = "trap 'echo told; exit 0' TERM; while :; do sleep 60 & wait; done";
      try (ChildJvm run =
          HoldfastRun.redis(
              server, "--max-hold", "4s", "--grace", "1s", "--", "sh", "-c", script)) {
        run.awaitLine("told"::equals, PATIENCE);
        assertTrue(System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(2_900));
        assertEquals(ExitCodes.LOST, run.awaitExit(PATIENCE), run.errors().toString());
        assertTrue(
            run.errors().toString().contains("or its maximum hold passed"),
            run.errors().toString());
      }
      client.lock("nightly").acquire(PATIENCE).release();
      assertFails(
          2,
          "minimum hold must be at most the maximum hold",
          HoldfastRun.redis(server, "--min-hold", "5s", "--max-hold", "4s", "--", "true"));
    }
  }

  @Test
  void aSignalGoesOnToTheCommandAndTheLockIsFreeWhenThatHasEnded() throws Exception {
    try (RedisServer server = RedisServer.launch();
        LockClient client = Locks.open("redis", HoldfastRun.settings(server))) {
      Path trace = directory.resolve("tidied");
      String script =
          "trap 'touch " + trace + "; exit 0' TERM; echo ready; while :; do sleep 60 & wait; done";
      try (ChildJvm run = HoldfastRun.redis(server, "--ttl", "1m", "--", "sh", "-c", script)) {
        run.awaitLine("ready"::equals, PATIENCE);
        assertTrue(client.lock("nightly").tryAcquire().isEmpty());
        run.terminate();
        assertTrue(Files.exists(trace));
        client.lock("nightly").acquire(Duration.ofSeconds(20)).release();
      }
    }
  }

  @Test
  void saysWhatIsWrongAndRunsNothing() throws IOException {
    try (RedisServer server = RedisServer.launch()) {
      assertFails(
          ExitCodes.NO_COMMAND,
          "no-such-command",
          HoldfastRun.redis(server, "--", "no-such-command"));
      Path script = directory.resolve("script with blanks.sh");
      assertFails(
          ExitCodes.NO_COMMAND,
          "There is no command",
          HoldfastRun.redis(server, "--", script.toString()));
      Files.writeString(script, "#!/bin/sh\nexit 9\n");
      assertFails(
          ExitCodes.NOT_EXECUTABLE,
          "is not a program",
          HoldfastRun.redis(server, "--", script.toString()));
      assertFails(
          ExitCodes.NOT_EXECUTABLE,
          "is not a program",
          HoldfastRun.redis(server, "--", directory.toString()));
      assertTrue(script.toFile().setExecutable(true));
      assertFails(9, "", HoldfastRun.redis(server, "--", script.toString()));
      assertFails(2, "--grace must be", HoldfastRun.redis(server, "--grace", "20s", "--", "true"));
      assertFails(2, "uri", HoldfastRun.redis(server, "--set", "urk=x", "--", "true"));
      String gone = HoldfastRun.uri(server);
      server.stop();
      assertFails(
          ExitCodes.UNAVAILABLE,
          "cannot be reached",
          HoldfastRun.start("--provider", "redis", "--set", "uri=" + gone, "--", "true"));
      // The lock is not asked for where there is nothing to run.
      assertFails(
          ExitCodes.NO_COMMAND,
          "no-such-command",
          HoldfastRun.start(
              "--provider", "redis", "--set", "uri=" + gone, "--", "no-such-command"));
    }
    assertFails(2, "redis", HoldfastRun.start("--", "true"));
    assertFails(2, "consul", HoldfastRun.start("--provider", "consul", "--", "true"));
  }

  private static void assertFails(int exitCode, String hint, ChildJvm started) {
    try (ChildJvm run = started) {
      assertEquals(exitCode, run.awaitExit(PATIENCE), run.errors().toString());
      assertTrue(run.errors().toString().contains(hint), run.errors().toString());
    }
  }
}
