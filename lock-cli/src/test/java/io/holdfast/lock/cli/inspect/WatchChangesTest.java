/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.cli.Main;
import io.holdfast.lock.cli.PatientSettings;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** {@code holdfast watch}: each change once, and no change while its server is gone. */
class WatchChangesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TERMINATED = 143;

  @Test
  void anOutageIsToldOnceAndTheWatchGoesOn() {
    try (RedisServer server = RedisServer.launch()) {
      server.command("SET", "lock:a", "owner-1", "PX", "600000");
      String url = "redis://localhost:" + server.port();
      List<String> command = new ArrayList<>(List.of("watch", "--json", "--interval", "100ms"));
      command.addAll(List.of("--backend", url));
      command.addAll(PatientSettings.options());
      try (ChildJvm watch = ChildJvm.start(Main.class, command.toArray(String[]::new))) {
        assertNext("held", watch);
        server.kill();
        assertNext("not seen", watch);
        server.start();
        assertNext("seen again", watch);
        // A server without its data has no lock.
        assertNext("free", watch);
        server.command("SET", "lock:a", "owner-2", "PX", "600000");
        assertNext("held", watch);
        server.command("SET", "lock:a", "owner-3", "PX", "500000");
        assertTrue(assertNext("passed on", watch).contains("\"owner\":\"owner-3\""));
        watch.terminate();
        assertEquals(OptionalInt.of(TERMINATED), watch.exitCode(), watch.errors().toString());
      }
    }
  }

  private static String assertNext(String change, ChildJvm watch) {
    String line = watch.awaitLine(any -> true, PATIENCE);
    assertTrue(line.contains("\"change\":\"" + change + "\""), line);
    return line;
  }
}
