/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.cli.PatientSettings;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands under a lock of a scenario, whose terms count where no option says otherwise. */
class RunScenarioTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void itHasItsBackendAndItsTtl() throws IOException {
    try (RedisServer server = RedisServer.launch()) {
      Path config = file(server, "scenario.jobs.ttl=9s");
      Path seen = directory.resolve("seen");
      String script = "while [ ! -e " + seen + " ]; do sleep 0.1; done; exit 3";
      try (ChildJvm run = run("jobs", config, "--", "sh", "-c", script)) {
        Conditions.until(
            "the lock is held",
            PATIENCE,
            () -> {
              String left = server.command("PTTL", "lock:nightly");
              return left.matches("[0-9]+")
                  && Long.parseLong(left) > 5_000
                  && Long.parseLong(left) <= 9_000;
            });
        Files.createFile(seen);
        assertEquals(3, run.awaitExit(PATIENCE), run.errors().toString());
      }
    }
  }

  @Test
  void oneThatIsRefusedItsBackendRunsNothing() throws IOException {
    try (RedisServer server = RedisServer.launch();
        ChildJvm run = run("financial", file(server), "--", "true")) {
      assertEquals(ExitCodes.USAGE, run.awaitExit(PATIENCE), run.errors().toString());
      assertTrue(run.errors().toString().contains("financial"), run.errors().toString());
    }
  }

  @Test
  void itsMinimumHoldIsKept() throws IOException {
    try (RedisServer server = RedisServer.launch()) {
      Path config = file(server, "scenario.jobs.ttl=30s", "scenario.jobs.min-hold=25s");
      try (ChildJvm none = run("jobs", config, "--min-hold", "0s", "--", "true")) {
        assertEquals(0, none.awaitExit(PATIENCE), none.errors().toString());
      }
      assertEquals("0", server.command("EXISTS", "lock:nightly"), "the option goes before it");
      try (ChildJvm run = run("jobs", config, "--", "true")) {
        assertEquals(0, run.awaitExit(PATIENCE), run.errors().toString());
      }
      long left = Long.parseLong(server.command("PTTL", "lock:nightly"));
      assertTrue(left > 0 && left <= 25_000, "milliseconds left: " + left);
    }
  }

  @Test
  void itsMaximumHoldEndsTheCommand() throws IOException {
    try (RedisServer server = RedisServer.launch()) {
      Path config = file(server, "scenario.jobs.max-hold=4s");
      String script = "trap 'echo told; exit 0' TERM; while :; do sleep 60 & wait; done";
      try (ChildJvm run = run("jobs", config, "--grace", "1s", "--", "sh", "-c", script)) {
        run.awaitLine("told"::equals, PATIENCE);
        assertEquals(ExitCodes.LOST, run.awaitExit(PATIENCE), run.errors().toString());
        assertTrue(
            run.errors().toString().contains("or its maximum hold passed"),
            run.errors().toString());
      }
    }
  }

  private static ChildJvm run(String scenario, Path config, String... options) {
    List<String> all = new ArrayList<>(List.of("--scenario", scenario));
    all.addAll(List.of("--config", config.toString()));
    all.addAll(List.of(options));
    return HoldfastRun.start(all.toArray(String[]::new));
  }

  private Path file(RedisServer server, String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add("backend.main.url=" + HoldfastRun.uri(server));
    all.addAll(PatientSettings.lines("backend.main."));
    return Files.write(directory.resolve("locks.properties"), all);
  }
}
