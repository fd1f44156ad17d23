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
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the steps before, around and after a command that runs under a lock. */
class RunSurroundingsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TERMINATED = 143;

  @TempDir private Path directory;

  private final RedisServer server = RedisServer.launch();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aSignalWhileItWaitsEndsItAndNothingIsRun() throws Exception {
    Path trace = directory.resolve("ran");
    try (LockClient client = Locks.open("redis", HoldfastRun.settings(server));
        Lease held = client.lock("nightly").acquire();
        ChildJvm run =
            HoldfastRun.redis(server, "--wait", "10m", "--", "touch", trace.toString())) {
      Conditions.until(
          "it waits",
          PATIENCE,
          () -> server.values("PUBSUB", "NUMSUB", "lock:nightly").get(1).equals("1"));
      run.terminate();
      assertEquals(OptionalInt.of(TERMINATED), run.exitCode(), run.errors().toString());
      held.release();
      client.lock("nightly").acquire(PATIENCE).release();
      assertFalse(Files.exists(trace));
    }
  }

  /** A token of another lock would be sent along with writes under these. */
  @Test
  void theCommandDoesNotGetTheTokensOfALeaseAroundThisOne() {
    Map<String, String> environment =
        Map.of(
            "HOLDFAST_LOCK", "around",
            "HOLDFAST_TOKEN", "999",
            "HOLDFAST_LOCK_3", "around",
            "HOLDFAST_TOKEN_3", "999",
            "HOLDFAST_OWNER", "around");
    List<String> command = new ArrayList<>(List.of("run", "--name", "nightly", "--name", "annual"));
    command.addAll(List.of("--backend", HoldfastRun.uri(server)));
    command.addAll(PatientSettings.options());
    command.addAll(List.of("--", "env"));
    List<String> seen = new CopyOnWriteArrayList<>();
    try (ChildJvm run =
        ChildJvm.start(Main.class, environment, seen::add, command.toArray(String[]::new))) {
      assertEquals(0, run.awaitExit(PATIENCE), run.errors().toString());
    }
    assertTrue(seen.contains("HOLDFAST_LOCK_1=nightly"), seen.toString());
    assertTrue(seen.contains("HOLDFAST_LOCK_2=annual"), seen.toString());
    assertTrue(seen.stream().anyMatch(line -> line.startsWith("HOLDFAST_OWNER=")));
    assertFalse(seen.stream().anyMatch(line -> line.startsWith("HOLDFAST_TOKEN=")), "" + seen);
    assertFalse(
        seen.stream()
            .filter(line -> line.startsWith("HOLDFAST_"))
            .anyMatch(line -> line.endsWith("=around") || line.endsWith("=999")),
        seen.toString());
  }

  /** One that was killed is alive for Java until its new parent asks for it, but has no command. */
  private static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /** As a shell does it: only a signal or a loss ends what the command has left. */
  @Test
  void aBackgroundProcessOfTheCommandGoesOn() {
    String script = "sh -c 'while :; do sleep 1; done' >/dev/null 2>&1 & echo $!; sleep 2";
    try (ChildJvm run = HoldfastRun.redis(server, "--", "sh", "-c", script)) {
      String pid = run.awaitLine(line -> line.matches("\\d+"), PATIENCE);
      ProcessHandle left = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
      try {
        assertEquals(0, run.awaitExit(PATIENCE), run.errors().toString());
        Conditions.stays("it goes on", Duration.ofSeconds(1), () -> isRunning(left));
      } finally {
        left.descendants().forEach(ProcessHandle::destroyForcibly);
        left.destroyForcibly();
      }
    }
  }

  @Test
  void aCommandThatCannotBeStartedLeavesTheLockFree() throws Exception {
    Path script = directory.resolve("script");
    Files.writeString(script, "#!/no/such/interpreter\n");
    assertTrue(script.toFile().setExecutable(true));
    try (ChildJvm run = HoldfastRun.redis(server, "--", script.toString())) {
      assertEquals(ExitCodes.NO_COMMAND, run.awaitExit(PATIENCE), run.errors().toString());
      assertTrue(run.errors().toString().contains(script.toString()), run.errors().toString());
    }
    assertEquals("0", server.command("EXISTS", "lock:nightly"));
  }
}
