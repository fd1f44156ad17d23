/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.filelock;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One contender: a step of it reads the file of its lock, compares, and replaces or deletes it. */
final class FileClaim implements LockClaim {

  /** What is in the file of a lock: four lines, the last with the name, which may have several. */
  record Entry(String owner, long token, Instant end, String lockName) {

    static Optional<Entry> read(Path file, String lockName) throws IOException {
      try {
        String[] lines = Files.readString(file).split("\n", 4);
        Instant end = Instant.parse(lines[2]);
        return Optional.of(new Entry(lines[0], Long.parseLong(lines[1]), end, lines[3]));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      } catch (CharacterCodingException | RuntimeException e) {
        throw new LockRejectedException(
            "Lock '%s' belongs at %s, but something else is there: remove it"
                .formatted(lockName, file),
            e);
      }
    }

    boolean isOver() {
      return !Instant.now().isBefore(end);
    }
  }

  private final FileLockBackend backend;
  private final ClaimRequest request;
  private final Path file;

  FileClaim(FileLockBackend backend, ClaimRequest request) {
    this.backend = backend;
    this.request = request;
    this.file = backend.directory.resolve(fileName(request.lockName()));
  }

  /** A name has up to 512 bytes of any kind, and that of a file has not. */
  static String fileName(String lockName) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(lockName.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    return backend.ask(
        "Acquiring lock '" + request.lockName() + "'",
        tokens -> {
          Optional<Entry> there = readHeld();
          if (there.isPresent() && !isOurs(there.get())) {
            return new Attempt.Contended(
                Optional.of(Duration.between(Instant.now(), there.get().end())));
          }
          long token = there.isPresent() ? there.get().token() : nextToken(tokens);
          write(token, Instant.now().plus(request.ttl()));
          return new Attempt.Granted(token, request.ttl());
        });
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return backend.ask(
        "Releasing lock '" + request.lockName() + "'",
        tokens -> {
          if (readHeld().filter(this::isOurs).isEmpty()) {
            return ReleaseAnswer.NOT_OURS;
          }
          Files.delete(file);
          return ReleaseAnswer.FREED;
        });
  }

  /** Whether the lock is still this claim's, and is prolonged. */
  boolean renew(Duration ttl) throws IOException {
    Optional<Entry> there = readHeld().filter(this::isOurs);
    if (there.isPresent()) {
      Instant end = Instant.now().plus(ttl);
      write(there.get().token(), end.isAfter(there.get().end()) ? end : there.get().end());
    }
    return there.isPresent();
  }

  private Optional<Entry> readHeld() throws IOException {
    return Entry.read(file, request.lockName()).filter(entry -> !entry.isOver());
  }

  private boolean isOurs(Entry entry) {
    return entry.owner().equals(request.ownerId());
  }

  /** All at once: whoever dies here leaves the old file or the new one. */
  private void write(long token, Instant end) throws IOException {
    Path next = backend.directory.resolve(".next");
    Files.writeString(
        next, "%s\n%d\n%s\n%s".formatted(request.ownerId(), token, end, request.lockName()));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** On the disk before it is used, so that it grows through a crash of the host, too. */
  private static long nextToken(FileChannel tokens) throws IOException {
    ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    long last = tokens.read(number, 0) == Long.BYTES ? number.getLong(0) : 0;
    tokens.write(number.putLong(0, last + 1).rewind(), 0);
    tokens.force(false);
    return last + 1;
  }
}
