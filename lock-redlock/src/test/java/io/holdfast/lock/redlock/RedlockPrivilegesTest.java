/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The user that docs/security.md has for Redlock may do enough, and nothing that is not used. */
class RedlockPrivilegesTest {

  private static final Duration RESTART_DELAY = Duration.ofSeconds(3);
  private static final LockOptions HELD =
      LockOptions.defaults()
          .withTtl(RESTART_DELAY.minusSeconds(1))
          .withRenewal(Renewal.every(Duration.ofMillis(100)));

  /** Where no delay limits it: so long that it does not end within a test. */
  private static final LockOptions LONG = HELD.withTtl(Duration.ofMinutes(2));

  /** Commands that are sent at each connection, and done without where they are refused. */
  private static final Set<String> DISPENSABLE = Set.of("client|id");

  private static final Pattern STATISTIC = Pattern.compile("(?m)^cmdstat_([^:]+):calls=[1-9]");

  @Test
  void theListedPrivilegesAreEnoughAndUsed() throws Exception {
    List<String> user = documented();
    try (RedlockHarness scene = new RedlockHarness(3)) {
      Map<String, String> settings = settings(scene, user, RESTART_DELAY.toSeconds() + "s");
      RedlockHarness.until(
          "the servers have run for long enough",
          () -> scene.servers.stream().allMatch(RedlockPrivilegesTest::isOldEnough));
      LockClient holder = scene.client(settings);
      LockClient waiter = scene.client(settings);
      Lease held = holder.lock("a", HELD).acquire();
      CompletableFuture<Lease> waiting = waiter.lock("a", HELD).acquireAsync();
      Set<String> granted = commandsIn(user);
      RedlockHarness.until(
          "somebody waits, and the lock is renewed",
          () -> used(scene).containsAll(Set.of("subscribe", "pexpire")));
      held.extend(RESTART_DELAY);
      RedlockHarness.until("a renewal has time in hand", () -> used(scene).contains("pexpireat"));
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      Lease next = waiting.get(RedlockHarness.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertTrue(next.fencingToken() > held.fencingToken());
      assertEquals(ReleaseOutcome.RELEASED, next.release());
      RedlockHarness.until("all is used", () -> used(scene).containsAll(granted));
      assertEquals(Set.of(), refused(scene, DISPENSABLE));
    }
  }

  /** Then the server's settings are not looked at, which opening does without. */
  @Test
  void withoutARestartDelayNoServerHasToTellForHowLongItHasRun() throws Exception {
    List<String> user = documented();
    assertTrue(user.remove("+info"));
    try (RedlockHarness scene = new RedlockHarness(3)) {
      Map<String, String> settings = settings(scene, user, "none");
      LockClient holder = scene.client(settings);
      LockClient waiter = scene.client(settings);
      Lease held = holder.lock("a", LONG).acquire();
      CompletableFuture<Lease> waiting = waiter.lock("a", LONG).acquireAsync();
      RedlockHarness.until("somebody waits", () -> used(scene).contains("subscribe"));
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      waiting.get(RedlockHarness.PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
      assertEquals(Set.of(), refused(scene, Set.of("client|id", "info")));
    }
  }

  /** The permissions are those that docs/backends/redis.md has for one server. */
  @Test
  void inspectionAndTheDoctorNeedWhatTheyNeedOnOneServer() throws Exception {
    List<String> user = documented();
    user.addAll(List.of("+scan", "+client|id", "+config|get"));
    try (RedlockHarness scene = new RedlockHarness(3)) {
      Map<String, String> settings = settings(scene, user, "none");
      Lease held = scene.client(settings).lock("a", LONG).acquire();
      LockClient asking = scene.client(settings);
      LockHolder holder = asking.inspector().holder("a").orElseThrow();
      assertEquals(held.ownerId(), holder.ownerId().orElseThrow());
      assertEquals(1, asking.inspector().held(10).size());
      for (ServerReport report : asking.examine(Duration.ofSeconds(10))) {
        assertTrue(
            report.findings().stream().noneMatch(one -> one.text().contains("may not use")),
            report.toString());
      }
      assertTrue(asking.inspector().evict(holder));
      RedlockHarness.until("the loss", () -> !held.isValid());
      assertEquals(Set.of(), refused(scene, Set.of()));
    }
  }

  private static Map<String, String> settings(
      RedlockHarness scene, List<String> user, String restartDelay) {
    for (RedisServer server : scene.servers) {
      server.command(user.toArray(String[]::new));
      server.command("CONFIG", "RESETSTAT");
    }
    return Map.of(
        "username",
        user.get(2),
        "password",
        user.get(4).substring(1),
        "restart-delay",
        restartDelay,
        "command-timeout",
        "5s");
  }

  private static Set<String> refused(RedlockHarness scene, Set<String> dispensable) {
    Set<String> refused = new TreeSet<>();
    for (RedisServer server : scene.servers) {
      List<String> entries = server.values("ACL", "LOG");
      for (int i = 0; i + 1 < entries.size(); i++) {
        if (entries.get(i).equals("object")) {
          refused.add(entries.get(i + 1));
        }
      }
    }
    refused.removeAll(dispensable);
    return refused;
  }

  /** The words of the command, as it is to be copied. */
  private static List<String> documented() throws Exception {
    Matcher command =
        Pattern.compile("## Redlock\n[^#]*?```\n(ACL SETUSER [^`]+)```")
            .matcher(Files.readString(Path.of("..", "docs", "security.md")));
    assertTrue(command.find());
    return new ArrayList<>(Arrays.asList(command.group(1).trim().split("\\s+")));
  }

  private static Set<String> commandsIn(List<String> user) {
    Set<String> commands = new TreeSet<>();
    user.stream()
        .filter(rule -> rule.startsWith("+"))
        .forEach(rule -> commands.add(rule.substring(1)));
    return commands;
  }

  private static Set<String> used(RedlockHarness scene) {
    Set<String> used = new TreeSet<>();
    for (RedisServer server : scene.servers) {
      STATISTIC
          .matcher(server.command("INFO", "commandstats"))
          .results()
          .forEach(one -> used.add(one.group(1)));
    }
    return used;
  }

  private static boolean isOldEnough(RedisServer server) {
    // Servers may be ahead of themselves by a second.
    return RedlockHarness.secondsUp(server) > RESTART_DELAY.toSeconds() + 1;
  }
}
