/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.filelock;

import com.example.filelock.FileClaim.Entry;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A directory of its own. */
final class FileLockFixture implements Fixture {

  private static final String NOTES = "somebody's notes";

  /** In memory where Linux has it: on a disk, locks wait for whatever else writes there. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path directory;
  private final Path locks;

  FileLockFixture() throws IOException {
    directory =
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, "lock-file")
            : Files.createTempDirectory("lock-file");
    locks = directory.resolve("lock");
  }

  @Override
  public String name() {
    return "file";
  }

  @Override
  public Capabilities promises() {
    return new Capabilities(
        Capabilities.Fencing.WHILE_DATA_LASTS,
        Capabilities.Lifetime.TTL,
        Capabilities.Ordering.UNORDERED,
        Capabilities.WakeUp.POLLING,
        Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
        Capabilities.Scope.LEASE,
        Capabilities.Survival.NOTHING,
        Capabilities.Inspection.NONE,
        Capabilities.Retention.CLIENT,
        Capabilities.Sharing.NONE);
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofMillis(1500), Duration.ofMillis(1500));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(Map.of("provider", "file", "directory", directory.toString()));
  }

  @Override
  public List<String> residue() {
    return Stream.of(locks.toFile().listFiles())
        .filter(file -> !file.getName().startsWith("."))
        .flatMap(file -> read(file.toPath()).stream())
        .filter(entry -> !entry.isOver())
        .map(Entry::lockName)
        .toList();
  }

  private static Optional<Entry> read(Path file) {
    try {
      return Entry.read(file, "");
    } catch (LockRejectedException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(file(lockName).toFile().delete());
  }

  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    try {
      Files.createDirectories(locks);
      Files.writeString(file(lockName), NOTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(() -> file(lockName).toFile().length() == NOTES.length());
  }

  private Path file(String lockName) {
    return locks.resolve(FileClaim.fileName(lockName));
  }

  @Override
  public void close() {
    Stream.of(locks.toFile().listFiles()).forEach(File::delete);
    locks.toFile().delete();
    directory.toFile().delete();
  }
}
