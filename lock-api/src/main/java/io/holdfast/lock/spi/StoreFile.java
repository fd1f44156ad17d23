/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of keys or certificates for TLS, as {@link Settings#storeFile} reads it.
 *
 * @param file where it is; it could be read when the settings were
 * @param password a secret; empty if it has none
 */
public record StoreFile(Path file, String password) {

  /** Refuses a file that cannot be read. */
  static StoreFile readable(String name, String password) {
    Path file = Path.of(name);
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException();
    }
    return new StoreFile(file, password);
  }

  /** Shows no secret. */
  @Override
  public String toString() {
    return "StoreFile[" + file + "]";
  }
}
