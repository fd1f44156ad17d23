/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.nio.file.Path;

/** Writes for as long as it lives, and says now and then how far it has come. */
final class WriterMain {

  private static final int SAY_EVERY = 1_000;

  private WriterMain() {}

  /**
   * Writes.
   *
   * @param args the directory
   */
  public static void main(String[] args) {
    try (HistoryWriter writer = HistoryWriter.open(Path.of(args[0]), "child")) {
      for (long number = 1; !Thread.currentThread().isInterrupted(); number++) {
        writer.append(new Event.Believed(System.nanoTime(), "child", number));
        if (number % SAY_EVERY == 0) {
          System.out.println(number);
          System.out.flush();
        }
      }
    }
  }
}
