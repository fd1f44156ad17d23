/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Records events of locks of one client, whose clock is driven by hand. */
@Execution(ExecutionMode.SAME_THREAD)
abstract class JfrRecordings {

  static final String MARK = "holdfast.";

  final MemoryHarness scene = new MemoryHarness();
  @TempDir Path directory;

  @AfterEach
  void close() {
    scene.close();
  }

  /** The events of locks whose names begin so. */
  final List<RecordedEvent> recorded(String prefix, Duration threshold, Runnable work)
      throws IOException {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(MARK + "LockWait").withThreshold(threshold);
      recording.enable(MARK + "LockHold").withThreshold(threshold);
      recording.enable(MARK + "LockLoss");
      recording.enable(MARK + "RenewalFailure");
      recording.enable(MARK + "EarlyWarning");
      recording.enable(MARK + "EarlierEnd");
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> found = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().startsWith(MARK)
          && event.getString("lockName").startsWith(prefix)) {
        found.add(event);
      }
    }
    return found;
  }

  static List<RecordedEvent> of(List<RecordedEvent> events, String type) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(MARK + type))
        .toList();
  }

  static List<String> strings(List<RecordedEvent> events, String field) {
    return events.stream().map(event -> event.getString(field)).toList();
  }
}
