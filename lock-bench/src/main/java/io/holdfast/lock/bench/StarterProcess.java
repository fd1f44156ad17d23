/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

/** A process that takes one lock. */
final class StarterProcess {

  private StarterProcess() {}

  /** Arguments: backend, name of the contestant, address. */
  public static void main(String[] arguments) throws Exception {
    Entry entry = Contestants.find(arguments[0], arguments[1]);
    long began = System.nanoTime();
    try (Contestant contestant = entry.open(Address.parse(arguments[2]))) {
      Contestant.Held held = contestant.take("started");
      System.out.println("granted " + (System.nanoTime() - began));
      held.free();
    }
    System.exit(0);
  }
}
