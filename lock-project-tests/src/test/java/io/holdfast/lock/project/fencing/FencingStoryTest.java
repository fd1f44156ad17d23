/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.fencing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The story of the holder that is suspended between its look and its write, with real processes, a
 * real lock and real rows; {@code docs/fencing.md} quotes what it prints.
 */
class FencingStoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> story = new ArrayList<>();
  private final RedisServer redis = RedisServer.launch();
  private final PostgresServer postgres = PostgresServer.launch();

  @BeforeEach
  void makeTheRows() {
    postgres.ask(
        "CREATE TABLE report (id INT PRIMARY KEY, text TEXT, fencing_token BIGINT NOT NULL)");
    postgres.ask("INSERT INTO report VALUES (7, 'nobody', 0)");
    postgres.ask("CREATE TABLE unguarded (id INT PRIMARY KEY, text TEXT)");
    postgres.ask("INSERT INTO unguarded VALUES (7, 'nobody')");
  }

  @AfterEach
  void end() {
    postgres.close();
    redis.close();
  }

  private ChildJvm start(String name) {
    return ChildJvm.start(
        FencingWriter.class,
        name,
        "redis://" + redis.host() + ":" + redis.port(),
        postgres.url(),
        PostgresServer.USER);
  }

  private String hear(ChildJvm child, String end) {
    String line =
        child.awaitLine(said -> said.startsWith("@") && said.matches(".*" + end + ".*"), PATIENCE);
    tell(line.substring(1));
    return line;
  }

  private void tell(String line) {
    story.add(line);
    System.out.println(line);
  }

  @Test
  void theWriteOfASuspendedHolderIsRefused() throws IOException {
    try (ChildJvm a = start("A")) {
      long older = token(hear(a, "holds"));
      hear(a, "lease: valid");
      a.suspend();
      tell("A is suspended (SIGSTOP)");
      try (ChildJvm b = start("B")) {
        long newer = token(hear(b, "holds"));
        hear(b, "lease: valid");
        b.send("");
        hear(b, "writes");
        hear(b, "has written");
        hear(b, "lease: valid");
        a.send("");
        a.resume();
        tell("A continues (SIGCONT)");
        hear(a, "writes");
        hear(a, "is refused");
        hear(a, "lease: not valid");
        tell("the row without a guard says: " + row("text FROM unguarded"));
        tell("the guarded row says: " + row("text FROM report"));
        assertEquals("B", row("text FROM report"));
        assertEquals(Long.toString(newer), row("fencing_token FROM report"));
        assertEquals("A", row("text FROM unguarded"), "the story tells why a guard is needed");
        assertTrue(newer > older);
      }
    }
    String page = FencingPageTest.page();
    assertTrue(
        masked(page).contains(masked("```text\n" + String.join("\n", story) + "\n```\n")),
        () -> "docs/fencing.md should quote\n" + String.join("\n", story));
  }

  private static long token(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
  }

  private String row(String what) {
    return postgres.ask("SELECT " + what + " WHERE id = 7").get(0);
  }

  /** Tokens differ from run to run. */
  private static String masked(String text) {
    return text.replaceAll("[0-9]{10,}", "N");
  }
}
