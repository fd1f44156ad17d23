/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class PostgresServerTest {

  private static final Path MEMORIES = Path.of("/proc/sysvipc/shm");

  @Test
  void answersAndSaysWhatItIs() {
    try (PostgresServer postgres = PostgresServer.launch("work_mem=7MB")) {
      assertEquals(List.of("7MB"), postgres.ask("SHOW work_mem"));
      assertEquals(List.of("ä", "", "b c"), postgres.ask("VALUES ('ä'), (NULL), ('b c')"));
      assertTrue(postgres.describe().toLowerCase(Locale.ROOT).startsWith("postgres"));
      IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> postgres.ask("SELECT nonsense"));
      assertTrue(String.valueOf(error.getMessage()).contains("42703"), error.getMessage());
    }
  }

  @Test
  void keepsItsPortAndItsDataThroughAKill() throws IOException {
    try (PostgresServer postgres = PostgresServer.launch()) {
      String url = postgres.url();
      postgres.ask("CREATE TABLE kept AS SELECT 7");
      try (PostgresWire held = connect(postgres)) {
        postgres.kill();
        assertThrows(IOException.class, () -> held.ask("SELECT 1"));
        assertThrows(UncheckedIOException.class, () -> postgres.ask("SELECT 1"));
      }
      postgres.start();
      assertEquals(url, postgres.url());
      assertEquals(List.of("7"), postgres.ask("TABLE kept"));
      try (PostgresWire held = connect(postgres)) {
        postgres.stop();
        assertThrows(IOException.class, () -> held.ask("SELECT 1"));
      }
      postgres.wipe();
      postgres.start();
      assertThrows(IllegalStateException.class, () -> postgres.ask("TABLE kept"));
      assertThrows(IllegalStateException.class, postgres::wipe);
    }
  }

  @Test
  void leavesNoSharedMemory() throws IOException {
    String wiped;
    String closed;
    try (PostgresServer postgres = PostgresServer.launch()) {
      assumeTrue(Files.isReadable(MEMORIES) && isLocal(postgres));
      wiped = memory(postgres);
      assertTrue(memories().contains(wiped));
      postgres.kill();
      postgres.wipe();
      postgres.start();
      closed = memory(postgres);
    }
    assertFalse(memories().contains(wiped), "wiped after a kill");
    assertFalse(memories().contains(closed), "closed");
  }

  /** A container has its own. */
  private static boolean isLocal(PostgresServer postgres) {
    return postgres.describe().contains("local process");
  }

  private static String memory(PostgresServer postgres) {
    return PostgresMemory.of(Path.of(postgres.ask("SHOW data_directory").get(0))).orElseThrow();
  }

  /** Their ids, as the kernel lists them. */
  private static Set<String> memories() throws IOException {
    return Files.readAllLines(MEMORIES).stream()
        .map(line -> new Scanner(line).skip("\\s*\\S+\\s+").next())
        .collect(toSet());
  }

  @Test
  void canThrowOutItsClientsAndTakeTheirPlaces() throws IOException {
    try (PostgresServer postgres = PostgresServer.launch("max_connections=10")) {
      ServerFault killed = postgres.troubles().get(0);
      ServerFault limit = postgres.troubles().get(1);
      for (ServerFault trouble : List.of(killed, limit)) {
        try (PostgresWire held = connect(postgres)) {
          held.ask("SET application_name = 'somebody'");
          trouble.begin().run();
          assertThrows(IOException.class, () -> held.ask("SELECT 1"), trouble.name());
        }
        if (trouble.equals(limit)) {
          assertThrows(IllegalStateException.class, () -> postgres.ask("SELECT 1"));
        }
        trouble.end().run();
        Until.holds("there is room", () -> hasRoom(postgres));
      }
    }
  }

  private static boolean hasRoom(PostgresServer postgres) {
    try {
      return postgres.ask("SELECT 1").equals(List.of("1"));
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Test
  void freezesWithAllItsProcesses() throws IOException {
    PostgresServer postgres = PostgresServer.launch();
    try (PostgresWire held = connect(postgres)) {
      postgres.suspend();
      assertThrows(IOException.class, () -> held.ask("SELECT 1"));
    }
    postgres.resume();
    assertEquals(List.of("1"), postgres.ask("SELECT 1"));
    postgres.suspend();
    postgres.close();
    postgres.close();
    assertThrows(UncheckedIOException.class, () -> postgres.ask("SELECT 1"));
    assertThrows(IllegalStateException.class, postgres::start);
  }

  private static PostgresWire connect(PostgresServer postgres) throws IOException {
    return new PostgresWire(
        postgres.host(), postgres.port(), PostgresServer.USER, PostgresServer.DATABASE);
  }
}
