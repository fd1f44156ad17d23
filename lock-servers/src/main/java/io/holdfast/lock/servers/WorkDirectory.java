/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** A temporary directory that goes with this JVM. */
final class WorkDirectory {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ENOUGH_OF_MEMORY = 2L << 30;

  private final Path root;

  private WorkDirectory(Path root) {
    this.root = root;
  }

  static WorkDirectory create(String kind) {
    return create(kind, Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * In memory where there is room, for a server of many files that need not outlive the machine: a
   * disk's file system may take the longer to make new ones, the more have just been deleted.
   */
  static WorkDirectory createInMemory(String kind) {
    try {
      return Files.isWritable(MEMORY)
              && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH_OF_MEMORY
          ? create(kind, MEMORY)
          : create(kind);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look into " + MEMORY, e);
    }
  }

  private static WorkDirectory create(String kind, Path parent) {
    try {
      Path root = Files.createTempDirectory(parent, "holdfast-" + kind + "-");
      ProcessReaper.ofThisJvm().deleteAtEnd(root);
      Files.createDirectory(root.resolve("data"));
      return new WorkDirectory(root);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create a temporary directory", e);
    }
  }

  /** Lets programs that run as another user get at their files in here. */
  WorkDirectory openToOthers() {
    try {
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot change " + root, e);
    }
  }

  Path data() {
    return root.resolve("data");
  }

  Path log() {
    return root.resolve("log");
  }

  Path file(String name, String text) {
    Path file = root.resolve(name);
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }

  String readLog() {
    try {
      return Files.exists(log()) ? Files.readString(log()) : "";
    } catch (IOException e) {
      return "(unreadable: " + e + ")";
    }
  }

  void wipe() {
    PostgresMemory.remove(data());
    deleteTree(data());
    try {
      Files.createDirectory(data());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create " + data(), e);
    }
  }

  void delete() {
    PostgresMemory.remove(data());
    deleteTree(root);
  }

  private static void deleteTree(Path top) {
    try {
      Files.walkFileTree(
          top,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
                throws IOException {
              if (e != null) {
                throw e;
              }
              Files.delete(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + top, e);
    }
  }
}
