/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.lock.StaleTokenException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file for each lock, with the greatest token that has been there and a number. Looking and
 * writing are one step, under a lock of the operating system; a process that stands still within it
 * keeps the others away for so long, so they wait for a short time only.
 */
final class FencedFile implements Resource {

  private static final String LINE = "%019d %019d%n";
  private static final long PATIENCE_NANOS = Duration.ofMillis(300).toNanos();
  private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

  private final Path directory;

  /** The operating system's locks are of processes, and these of threads. */
  private final Map<String, ReentrantLock> threads = new ConcurrentHashMap<>();

  FencedFile(Path directory) {
    this.directory = directory;
  }

  @Override
  public String name(String lock) {
    return "file of " + lock;
  }

  @Override
  public boolean isFenced() {
    return true;
  }

  @Override
  public long read(String lock, long token) throws IOException {
    return checked(lock, token, (file, value) -> write(file, token, value));
  }

  @Override
  public void write(String lock, long token, long value) throws IOException {
    checked(lock, token, (file, before) -> write(file, token, value));
  }

  private interface Step {
    void with(RandomAccessFile file, long value) throws IOException;
  }

  private long checked(String lock, long token, Step step) throws IOException {
    ReentrantLock mine = threads.computeIfAbsent(lock, key -> new ReentrantLock());
    mine.lock();
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve(lock).toFile(), "rw")) {
      lock(file);
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(bytes);
      String[] words = new String(bytes, US_ASCII).strip().split(" ", -1);
      boolean isNew = bytes.length == 0;
      long newest = isNew ? 0 : Long.parseLong(words[0]);
      long value = isNew ? 0 : Long.parseLong(words[1]);
      if (newest > token) {
        throw new StaleTokenException(name(lock), token, newest + " has been there");
      }
      step.with(file, value);
      return value;
    } finally {
      mine.unlock();
    }
  }

  /** Until it is closed. */
  private static void lock(RandomAccessFile file) throws IOException {
    long begun = System.nanoTime();
    while (!isLocked(file)) {
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IOException("somebody else has the file for more than 300 ms");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean isLocked(RandomAccessFile file) throws IOException {
    try {
      return file.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Where the backend is in memory, the other workers are in this process.
      return false;
    }
  }

  /** In one piece, of one length: a process that is killed has written all of it or nothing. */
  private static void write(RandomAccessFile file, long token, long value) throws IOException {
    file.seek(0);
    file.write(LINE.formatted(token, value).getBytes(US_ASCII));
  }

  @Override
  public void close() {}
}
