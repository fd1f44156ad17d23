/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock for child processes that can be set while they run, by libfaketime. Their monotonic
 * clocks are left alone, as they are when a host's clock is set.
 */
public final class FakeClock implements AutoCloseable {

  /** After which a clock that was set is so for all processes that have it. */
  public static final Duration SET_WITHIN = Duration.ofSeconds(2);

  private static final List<String> PLACES =
      List.of(
          "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
          "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
          "/usr/lib64/faketime/libfaketime.so.1");

  private static final List<String> SHARED = List.of("sem.faketime_sem_", "faketime_shm_");

  private final Path library;
  private final Path offset;

  private FakeClock(Path library, Path offset) {
    this.library = library;
    this.offset = offset;
  }

  /**
   * A clock that is right at first.
   *
   * @return empty if there is no libfaketime
   */
  public static Optional<FakeClock> create() {
    return PLACES.stream().map(Path::of).filter(Files::isReadable).findFirst().map(FakeClock::of);
  }

  private static FakeClock of(Path library) {
    try {
      FakeClock clock = new FakeClock(library, Files.createTempFile("holdfast-clock", ""));
      clock.set(Duration.ZERO);
      return clock;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The environment with which a process has this clock.
   *
   * @return variables and their values
   */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        offset.toString(),
        // In whole seconds that have begun. Else the file is read whenever the time is, which slows
        // a JVM down.
        "FAKETIME_CACHE_DURATION",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // Else every timed wait on the monotonic clock, which a JVM's are, returns at once.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  /**
   * Steps the clock of all processes that have it, within {@link #SET_WITHIN}.
   *
   * @param ahead of the true time; negative for behind
   */
  public void set(Duration ahead) {
    try {
      Path next = Path.of(offset + ".next");
      Files.writeString(next, "%+d\n".formatted(ahead.toSeconds()));
      // At once, so that nobody reads half of it.
      Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes away what the library of a process leaves behind that was killed. */
  static void cleanUpAfter(long pid) {
    try {
      for (String kind : SHARED) {
        Files.deleteIfExists(Path.of("/dev/shm", kind + pid));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes its file away. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
