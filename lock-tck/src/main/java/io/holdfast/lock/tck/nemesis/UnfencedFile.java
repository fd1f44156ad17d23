/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file for each lock, with a number, which nothing protects but the lock. */
final class UnfencedFile implements Resource {

  private static final String LINE = "%019d%n";

  private final Path directory;

  UnfencedFile(Path directory) {
    this.directory = directory;
  }

  @Override
  public String name(String lock) {
    return "counter of " + lock;
  }

  @Override
  public boolean isFenced() {
    return false;
  }

  @Override
  public long read(String lock, long token) throws IOException {
    try (RandomAccessFile file = open(lock)) {
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(bytes);
      return bytes.length == 0 ? 0 : Long.parseLong(new String(bytes, US_ASCII).strip());
    }
  }

  @Override
  public void write(String lock, long token, long value) throws IOException {
    try (RandomAccessFile file = open(lock)) {
      file.write(LINE.formatted(value).getBytes(US_ASCII));
    }
  }

  private RandomAccessFile open(String lock) throws IOException {
    return new RandomAccessFile(directory.resolve(lock).toFile(), "rw");
  }

  @Override
  public void close() {}
}
