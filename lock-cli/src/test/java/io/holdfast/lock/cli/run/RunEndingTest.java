/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how {@code holdfast run} ends a command, and what the command has started. */
class RunEndingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TERMINATED = 143;

  /** Starts its first argument; TERM ends it, and not what it has started. */
  private static final String STARTER = "sh -c \"$1\" & wait";

  private static final String STUBBORN = "trap '' TERM; echo $$; while :; do sleep 1; done";

  @TempDir private Path directory;

  @Test
  void childrenAreKilledThoughTheCommandHasEnded() throws Exception {
    try (RedisServer server = RedisServer.launch();
        ChildJvm run = shortLock(server, STARTER, STUBBORN)) {
      assertEndsAfterALoss(server, run, started(run));
    }
  }

  /** It has another parent by then, and is no descendant of the command any more. */
  @Test
  void anOrphanOfLongBeforeIsKilled() throws Exception {
    String starter = "(sh -c \"$1\" & sleep 3); echo alone; while :; do sleep 1; done";
    try (RedisServer server = RedisServer.launch();
        ChildJvm run = shortLock(server, starter, STUBBORN)) {
      ProcessHandle started = started(run);
      run.awaitLine("alone"::equals, PATIENCE);
      assertEndsAfterALoss(server, run, started);
    }
  }

  private static void assertEndsAfterALoss(RedisServer server, ChildJvm run, ProcessHandle started)
      throws Exception {
    try {
      server.suspend();
      assertEquals(ExitCodes.LOST, run.awaitExit(PATIENCE), run.errors().toString());
      started.onExit().get(30, TimeUnit.SECONDS);
    } finally {
      started.destroyForcibly();
      server.resume();
    }
  }

  @Test
  void aChildThatIgnoresASignalIsKilledWhenTheCommandHasEnded() throws Exception {
    try (RedisServer server = RedisServer.launch();
        ChildJvm run = shortLock(server, STARTER, STUBBORN)) {
      ProcessHandle started = started(run);
      try {
        run.terminate();
        assertEquals(OptionalInt.of(TERMINATED), run.exitCode(), run.errors().toString());
        started.onExit().get(30, TimeUnit.SECONDS);
      } finally {
        started.destroyForcibly();
      }
    }
  }

  @Test
  void aSignalGoesOnToWhatTheCommandStartedAndTheLockIsKeptUntilThatHasEnded() throws Exception {
    Path trace = directory.resolve("tidied");
    String tidy =
        "trap 'sleep 0.5; touch "
            + trace
            + "; exit 0' TERM; echo $$; while :; do sleep 60 & wait; done";
    try (RedisServer server = RedisServer.launch();
        LockClient client = Locks.open("redis", HoldfastRun.settings(server));
        ChildJvm run =
            HoldfastRun.redis(server, "--ttl", "1m", "--", "sh", "-c", STARTER, "sh", tidy)) {
      ProcessHandle started = started(run);
      try {
        run.terminate();
        assertTrue(Files.exists(trace));
        assertEquals(OptionalInt.of(TERMINATED), run.exitCode(), run.errors().toString());
        client.lock("nightly").acquire(Duration.ofSeconds(20)).release();
      } finally {
        started.destroyForcibly();
      }
    }
  }

  /** Another may hold the lock already, so the command does not have the time of --grace. */
  @Test
  void aCommandThatIsToldOfALossIsKilledSoon() throws Exception {
    String script =
        "trap 'echo told; sleep 4; echo late' TERM; echo ready; while :; do sleep 60 & wait; done";
    try (RedisServer server = RedisServer.launch();
        ChildJvm run =
            HoldfastRun.redis(server, "--ttl", "12s", "--grace", "6s", "--", "sh", "-c", script)) {
      run.awaitLine("ready"::equals, PATIENCE);
      server.command("DEL", "lock:nightly");
      run.awaitLine("told"::equals, PATIENCE);
      assertEquals(ExitCodes.LOST, run.awaitExit(PATIENCE), run.errors().toString());
      assertThrows(
          IllegalStateException.class, () -> run.awaitLine("late"::equals, Duration.ofSeconds(5)));
    }
  }

  private static ChildJvm shortLock(RedisServer server, String script, String argument) {
    return HoldfastRun.redisUntilItHangs(
        server, "--ttl", "6s", "--grace", "1s", "--", "sh", "-c", script, "sh", argument);
  }

  /** The process that has written its id. */
  private static ProcessHandle started(ChildJvm run) {
    String pid = run.awaitLine(line -> line.matches("\\d+"), PATIENCE);
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }
}
