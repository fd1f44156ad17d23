/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.cli.Cli;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The rules against servers that the command did not start, and may not harm. */
@Execution(ExecutionMode.CONCURRENT)
class ConformanceTest {

  /** The first connections of a JVM may take long on a busy machine. */
  private static final String PATIENT = "connect-timeout=30s";

  @TempDir Path directory;

  @Test
  void redisKeepsTheRulesAndWhatElseIsThere() throws IOException {
    try (RedisServer server = RedisServer.launch()) {
      server.command("SET", "lock:order:1", "an application's");
      Path report = directory.resolve("report");
      Cli run =
          conformance(
              "--backend",
              "redis://localhost:" + server.port(),
              "--rules",
              "EX-2,ex-3,EX-8,OW-8,LT-1,LS-2,LS-3,FN-5,WT-5,CA-8,IN-2,IN-5",
              "--set",
              PATIENT,
              "--report",
              report.toString());
      assertEquals(ExitCodes.OK, run.code(), run.toString());
      assertEquals("8", run.field("held"), run.out());
      assertEquals("4", run.field("skipped"), run.out());
      for (String rule : List.of("EX-2", "EX-3", "OW-8", "LT-1", "LS-2", "WT-5", "CA-8", "IN-2")) {
        assertVerdict("held", rule, run);
      }
      for (String rule : List.of("EX-8", "LS-3", "FN-5", "IN-5")) {
        assertVerdict("skipped", rule, run);
      }
      for (String bound : List.of("free after its holder has died", "loss told to a holder")) {
        assertTrue(run.out().contains("\"bound\":\"" + bound), run.out());
      }
      String page = Files.readString(report.resolve("redis.html"));
      assertTrue(page.contains("to take locks away is not allowed here"), page);
      assertTrue(page.contains(":" + server.port()), "the server is not named");
      assertEquals(
          List.of("an application's"),
          List.of(server.command("GET", "lock:order:1")),
          "what was there before");
      // A lock of a process that was killed is gone with its TTL.
      Conditions.until(
          "nothing is left",
          Duration.ofMinutes(1),
          () -> server.values("KEYS", SettingsFixture.NAMESPACE + "*tck-*").isEmpty());
    }
  }

  /**
   * A namespace that is refused is none in which a rule could be broken; that of the application is
   * not used.
   */
  @Test
  void aUserWithOneNamespaceBreaksNoRule() {
    try (RedisServer server = RedisServer.launch()) {
      String own = SettingsFixture.NAMESPACE;
      server.command(
          "ACL",
          "SETUSER",
          "app",
          "on",
          ">secret",
          "~" + own + ":*",
          "~" + own + "#token",
          "&" + own + ":*",
          "+@all");
      String url = "redis://app:secret@localhost:" + server.port();
      Cli run =
          conformance(
              "--backend",
              url,
              "--rules",
              "EX-1,EX-9",
              "--set",
              PATIENT,
              "--set",
              "namespace=jobs");
      assertEquals(ExitCodes.OK, run.code(), run.toString());
      assertVerdict("held", "EX-1", run);
      assertVerdict("skipped", "EX-9", run);
      assertTrue(run.out().contains("'" + own + "-other'"), run.out());
      assertFalse(run.toString().contains("secret"), run.toString());
    }
  }

  @Test
  void postgresLosesLocksWhereThatIsAllowed() {
    try (PostgresServer server = PostgresServer.launch()) {
      Cli run =
          conformance(
              "--backend",
              server.url(),
              "--provider",
              "postgres-table",
              "--set",
              "username=" + PostgresServer.USER,
              "--set",
              "create-schema=true",
              "--set",
              PATIENT,
              "--rules",
              "EX-2,LT-1,LS-3,LS-4,FN-2,IN-5",
              "--allow",
              "revoke");
      assertEquals(ExitCodes.OK, run.code(), run.toString());
      assertEquals("6", run.field("held"), run.out());
      assertEquals("postgres-table", run.field("provider"));
    }
  }

  /** Somebody deletes all that there is, again and again: no lock can last there. */
  @Test
  void aBrokenRuleIsTheAnswerNo() {
    try (RedisServer server = RedisServer.launch()) {
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Void> vandal =
          CompletableFuture.runAsync(
              () -> {
                while (!ended.get()) {
                  server.command("FLUSHALL");
                  LockSupport.parkNanos(20_000_000);
                }
              },
              task -> new Thread(task, "vandal").start());
      try {
        Cli run =
            conformance(
                "--backend",
                "redis://localhost:" + server.port(),
                "--rules",
                "BI-4",
                "--set",
                PATIENT);
        assertEquals(ExitCodes.NO, run.code(), run.toString());
        assertVerdict("failed", "BI-4", run);
        assertTrue(run.out().contains("REVOKED"), run.out());
      } finally {
        ended.set(true);
        vandal.join();
      }
    }
  }

  @Test
  void errorsAreSaidBeforeAnythingIsDone() {
    Cli rule = Cli.run("conformance", "--backend", "redis://localhost:1", "--rules", "EX,QX-1");
    assertEquals(ExitCodes.USAGE, rule.code(), rule.toString());
    assertTrue(rule.err().contains("'QX-1'"), rule.err());
    Cli fault = Cli.run("conformance", "--backend", "redis://localhost:1", "--allow", "flush");
    assertEquals(ExitCodes.USAGE, fault.code(), fault.toString());
    assertTrue(fault.err().contains("revoke") && fault.err().contains("flush"), fault.err());
    Cli nobody = conformance("--backend", "redis://me:hunter2@localhost:1", "--rules", "EX-1");
    assertEquals(ExitCodes.UNAVAILABLE, nobody.code(), nobody.toString());
    assertFalse(nobody.toString().contains("hunter2"), nobody.toString());
  }

  /** As users have it: what tests are made with is not on their class path. */
  @Test
  void noTestFrameworkIsNeeded() throws Exception {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("junit") && !entry.contains("opentest4j"))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                "io.holdfast.lock.cli.Main",
                "conformance",
                "--backend",
                "memory:",
                "--rules",
                "BI-5")
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), text);
      assertTrue(text.contains("conformance of memory: 1 held"), text);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Cli conformance(String... args) {
    List<String> all = new ArrayList<>(List.of("conformance", "--json", "--ttl", "1500ms"));
    all.addAll(List.of(args));
    return Cli.run(all.toArray(String[]::new));
  }

  private static void assertVerdict(String verdict, String rule, Cli run) {
    Matcher found =
        Pattern.compile("\"rule\":\"" + rule + "\".*?\"verdict\":\"(.*?)\"").matcher(run.out());
    assertTrue(found.find(), run.out());
    assertEquals(verdict, found.group(1), rule);
  }
}
