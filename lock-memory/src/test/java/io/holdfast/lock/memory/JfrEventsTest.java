/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** Tests the flight recorder's events of waits and holds, and which kinds of event there are. */
class JfrEventsTest extends JfrRecordings {

  private static final Set<String> STANDARD =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  @Test
  void waitsAndHolds() throws IOException {
    LockClient client = scene.client();
    List<Lease> leases = new ArrayList<>();
    List<RecordedEvent> events =
        recorded(
            "jfr-a",
            Duration.ZERO,
            () -> {
              Lease first = granted(client.lock("jfr-a").acquireAsync());
              CompletableFuture<Lease> second = client.lock("jfr-a").acquireAsync();
              client.lock("jfr-a").tryAcquireAsync();
              first.release();
              leases.add(first);
              leases.add(granted(second));
              granted(second).release();
            });
    List<RecordedEvent> waits = of(events, "LockWait");
    assertEquals(
        List.of("TIMED_OUT", "GRANTED", "GRANTED"),
        strings(waits, "outcome").stream().sorted((a, b) -> b.compareTo(a)).toList());
    assertEquals(1, waits.stream().filter(wait -> wait.getBoolean("handedOver")).count());
    List<RecordedEvent> holds = of(events, "LockHold");
    assertEquals(List.of("RELEASED", "RELEASED"), strings(holds, "outcome"));
    assertEquals(
        leases.stream().map(Lease::fencingToken).toList(),
        holds.stream().map(hold -> hold.getLong("fencingToken")).sorted().toList());
    assertEquals(leases.stream().map(Lease::ownerId).toList(), strings(holds, "ownerId"));
    for (RecordedEvent hold : holds) {
      assertTrue(hold.getDuration().toNanos() > 0);
    }
    assertEquals(List.of(), of(events, "LockLoss"));
  }

  @Test
  void waitsLongerThanTheThresholdAreRecorded() throws IOException {
    LockClient client = scene.client();
    List<RecordedEvent> events =
        recorded(
            "jfr-e",
            Duration.ofMillis(2),
            () -> {
              Lease lease = granted(client.lock("jfr-e").acquireAsync());
              CompletableFuture<Lease> waiting = client.lock("jfr-e").acquireAsync();
              // The recorder has a clock of its own.
              long begun = System.nanoTime();
              while (System.nanoTime() - begun < Duration.ofMillis(5).toNanos()) {
                Thread.onSpinWait();
              }
              lease.release();
              waiting.join();
            });
    // The first has not waited, but a busy machine may take its time for that as well.
    assertEquals(
        1, of(events, "LockWait").stream().filter(wait -> wait.getBoolean("handedOver")).count());
    assertEquals(1, of(events, "LockHold").size());
  }

  @Test
  void waitsShorterThanTheThresholdAreLeftOut() throws IOException {
    LockClient client = scene.client();
    List<RecordedEvent> events =
        recorded(
            "jfr-c",
            Duration.ofHours(1),
            () -> granted(client.lock("jfr-c").acquireAsync()).release());
    assertEquals(List.of(), events);
  }

  /** A wait that began without a recording has no event, so that it costs none. */
  @Test
  void noEventIsMadeBetweenRecordings() throws IOException {
    LockClient client = scene.client();
    try (Recording before = new Recording()) {
      before.enable(MARK + "LockWait");
      before.enable(MARK + "LockHold");
      before.start();
      granted(client.lock("jfr-f").acquireAsync()).release();
    }
    Lease first = granted(client.lock("jfr-f").acquireAsync());
    CompletableFuture<Lease> second = client.lock("jfr-f").acquireAsync();
    List<RecordedEvent> events =
        recorded(
            "jfr-f",
            Duration.ZERO,
            () -> {
              first.release();
              granted(second).release();
            });
    assertEquals(List.of(), of(events, "LockWait"));
    assertEquals(List.of(granted(second).ownerId()), strings(of(events, "LockHold"), "ownerId"));
  }

  @Test
  void aJvmWithoutTheModuleHasLocksAllTheSame() throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base",
                "-cp",
                System.getProperty("java.class.path"),
                WithoutJfr.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> read(output));
    assertTrue(read(output).contains("REVOKED without jdk.jfr"), () -> read(output));
  }

  /**
   * The types are known as soon as they are used. Nothing is recorded: texts of one recording may
   * be missing in a later one of the same JVM, on JDK 17.
   */
  @Test
  void thePageHasEveryEventWithItsFields() throws IOException {
    FlightRecorder recorder = FlightRecorder.getFlightRecorder();
    everyStep(scene);
    List<String> rows = new ArrayList<>();
    for (EventType type : recorder.getEventTypes()) {
      if (type.getName().startsWith(MARK)) {
        rows.add(type.getName() + ": " + fields(type));
      }
    }
    List<String> written =
        Files.readAllLines(Path.of("../docs/monitoring.md")).stream()
            .filter(line -> line.startsWith("| `" + MARK) && line.split("\\|").length == 4)
            .map(line -> line.replace("`", "").split("\\|"))
            .map(cells -> cells[1].strip() + ": " + cells[3].strip())
            .sorted()
            .toList();
    assertEquals(rows.stream().sorted().toList(), written);
  }

  /** Each that can be recorded; the lease is lost. */
  private static Lease everyStep(MemoryHarness scene) {
    granted(scene.lock("jfr-d").acquireAsync()).release();
    LockOptions fixed = MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none());
    Lease ends = granted(scene.client().lock("jfr-d fixed", fixed).acquireAsync());
    ends.expireInAsync(Duration.ofSeconds(1));
    ends.release();
    LockOptions warned = MemoryHarness.TEN_SECONDS.withEarlyWarning(Duration.ofSeconds(8));
    Lease lost = granted(scene.client().lock("jfr-d", warned).acquireAsync());
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(4));
    scene.server.comeBack();
    scene.server.revoke("jfr-d");
    scene.time.advance(Duration.ofSeconds(4));
    return lost;
  }

  private static String fields(EventType type) {
    return type.getFields().stream()
        .map(ValueDescriptor::getName)
        .filter(name -> !STANDARD.contains(name))
        .collect(Collectors.joining(", "));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Every step that could be recorded, in a JVM of its own. */
  static final class WithoutJfr {

    private WithoutJfr() {}

    /**
     * Runs.
     *
     * @param args none
     */
    public static void main(String[] args) {
      if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
        throw new IllegalStateException("this JVM has jdk.jfr");
      }
      try (MemoryHarness scene = new MemoryHarness()) {
        Lease lost = everyStep(scene);
        System.out.println(lost.loss().join().reason() + " without jdk.jfr");
      }
    }
  }
}
