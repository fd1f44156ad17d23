/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.cli.Cli;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands as readers, as the writer, and with permits, at real servers. */
class RunSharesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void redis() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      Path config = file("backend.main.url=redis://localhost:" + server.port());
      readersAndAWriter(config);
      permitsAreCounted(config);
    }
  }

  @Test
  void zooKeeper() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      Path config =
          file(
              "backend.main.provider=zookeeper", "backend.main.connect=localhost:" + server.port());
      readersAndAWriter(config);
      permitsAreCounted(config);
    }
  }

  @Test
  void etcd() throws Exception {
    try (EtcdServer server = EtcdServer.launch()) {
      Path config =
          file(
              "backend.main.provider=etcd",
              "backend.main.endpoints=http://localhost:" + server.port());
      readersAndAWriter(config);
      permitsAreCounted(config);
    }
  }

  @Test
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      readersAndAWriter(postgres(server, "postgres-advisory"));
      Path config = postgres(server, "postgres-table");
      readersAndAWriter(config);
      permitsAreCounted(config);
    }
  }

  /** A row is locked by one transaction, and a server's lock is not counted. */
  @Test
  void aBackendWithoutSemaphoresSaysWhichHaveThem() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      for (String provider : List.of("postgres-row", "postgres-advisory")) {
        Cli refused = run(postgres(server, provider), "--permits", "2", "--of", "5");
        assertEquals(ExitCodes.USAGE, refused.code(), refused.toString());
        assertTrue(refused.err().contains("is to be a semaphore of 5 permits"), refused.err());
        assertTrue(refused.err().contains("these can: ["), refused.err());
      }
    }
  }

  private void readersAndAWriter(Path config) throws Exception {
    readersRunTogether(config);
    theWriterRunsAlone(config);
  }

  private void readersRunTogether(Path config) throws Exception {
    Path end = directory.resolve("readers");
    try (ChildJvm reader = holding(config, end, "--shared")) {
      assertEquals(ExitCodes.OK, run(config, "--shared").code());
      assertBusy("Read-write lock 'nightly' is busy", run(config, "--exclusive"));
      assertOtherCapacity(
          "in use as a read-write lock", "takes --shared or --exclusive", run(config));
      try (ChildJvm writer = child(config, "--exclusive", "--wait", "1m", "--", "true")) {
        Files.createFile(end);
        assertEquals(0, reader.awaitExit(PATIENCE), reader.errors().toString());
        assertEquals(0, writer.awaitExit(PATIENCE), writer.errors().toString());
      }
    } finally {
      Files.deleteIfExists(end);
    }
  }

  private void theWriterRunsAlone(Path config) throws Exception {
    Path end = directory.resolve("writer");
    try (ChildJvm writer = holding(config, end, "--exclusive")) {
      assertBusy("Read-write lock 'nightly' is busy", run(config, "--shared"));
      assertBusy("Read-write lock 'nightly' is busy", run(config, "--exclusive"));
      Files.createFile(end);
      assertEquals(0, writer.awaitExit(PATIENCE), writer.errors().toString());
    } finally {
      Files.deleteIfExists(end);
    }
  }

  private void permitsAreCounted(Path config) throws Exception {
    Path end = directory.resolve("permits");
    try (ChildJvm two = holding(config, end, "--permits", "2", "--of", "5");
        ChildJvm one = holding(config, end, "--of", "5")) {
      assertEquals(ExitCodes.OK, run(config, "--permits", "2", "--of", "5").code());
      assertBusy("Semaphore 'nightly' is busy", run(config, "--permits", "3", "--of", "5"));
      assertOtherCapacity("in use as a semaphore of 5 permits", "takes --of 5", run(config));
      assertOtherCapacity(
          "asked for as a semaphore of 8 permits", "takes --of 5", run(config, "--of", "8"));
      Files.createFile(end);
      assertEquals(0, two.awaitExit(PATIENCE), two.errors().toString());
      assertEquals(0, one.awaitExit(PATIENCE), one.errors().toString());
    }
    try (ChildJvm lock = holding(config, directory.resolve("lock"))) {
      assertOtherCapacity(
          "in use as a lock",
          "takes none of --shared, --exclusive and --of",
          run(config, "--shared"));
      lock.terminate();
    }
  }

  private static void assertBusy(String hint, Cli run) {
    assertEquals(ExitCodes.BUSY, run.code(), run.toString());
    assertTrue(run.err().contains(hint), run.err());
  }

  private static void assertOtherCapacity(String hint, String options, Cli run) {
    assertEquals(ExitCodes.USAGE, run.code(), run.toString());
    assertTrue(run.err().contains(hint), run.err());
    assertTrue(run.err().contains(options), run.err());
  }

  /** A command that has begun, and that runs until there is that file. */
  private static ChildJvm holding(Path config, Path end, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    String script = "echo token=$HOLDFAST_TOKEN; while [ ! -e " + end + " ]; do sleep 0.1; done";
    all.addAll(List.of("--wait", "1m", "--", "sh", "-c", script));
    ChildJvm run = child(config, all.toArray(String[]::new));
    run.awaitLine(line -> line.matches("token=[1-9]\\d*"), PATIENCE);
    return run;
  }

  private static ChildJvm child(Path config, String... options) {
    return ChildJvm.start(Main.class, with(config, options).toArray(String[]::new));
  }

  /** A command that ends at once, in this JVM. */
  private static Cli run(Path config, String... options) {
    List<String> all = with(config, options);
    all.addAll(List.of("--", "true"));
    return Cli.run(all.toArray(String[]::new));
  }

  private static List<String> with(Path config, String... options) {
    List<String> all =
        new ArrayList<>(List.of("run", "--name", "nightly", "--config", config.toString()));
    all.addAll(List.of(options));
    return all;
  }

  private Path postgres(PostgresServer server, String provider) throws IOException {
    return file(
        "backend.main.provider=" + provider,
        "backend.main.url=" + server.url(),
        "backend.main.username=" + PostgresServer.USER,
        "backend.main.create-schema=true");
  }

  private Path file(String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.addAll(PatientSettings.lines("backend.main."));
    return Files.write(Files.createTempFile(directory, "locks", ".properties"), all);
  }
}
