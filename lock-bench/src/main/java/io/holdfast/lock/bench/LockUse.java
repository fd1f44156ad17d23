/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** The way in which contending threads use locks, again and again. */
enum LockUse {
  /** One lock. */
  EXCLUSIVE {
    @Override
    Step on(Path file, long process) throws IOException {
      SharedHandOver handOver = SharedHandOver.map(file);
      return contestant -> {
        Contestant.Held held = contestant.take(NAME);
        handOver.taken(process);
        handOver.free();
        held.free();
      };
    }
  },

  /** The read side of one read-write lock. */
  READ {
    @Override
    Step on(Path file, long process) throws IOException {
      SharedHolders holders = SharedHolders.map(file);
      return contestant -> read(contestant, holders);
    }
  },

  /** One of 20 times, the write side instead. */
  READ_AND_WRITE {
    @Override
    Step on(Path file, long process) throws IOException {
      SharedHolders holders = SharedHolders.map(file);
      return contestant -> {
        if (ThreadLocalRandom.current().nextInt(TIMES) > 0) {
          read(contestant, holders);
        } else {
          once(contestant.takeWrite(NAME), holders, ALL, ALL);
        }
      };
    }
  },

  /** One permit of a semaphore of eight. */
  PERMIT {
    @Override
    Step on(Path file, long process) throws IOException {
      SharedHolders holders = SharedHolders.map(file);
      return contestant -> once(contestant.takePermit(NAME, PERMITS), holders, 1, PERMITS);
    }
  };

  private static final String NAME = "wanted";
  private static final int PERMITS = 8;
  private static final int TIMES = 20;

  /** More than there are readers. */
  private static final int ALL = 1_000_000;

  /** Takes it once, and gives it back. */
  @FunctionalInterface
  interface Step {
    void run(Contestant contestant) throws Exception;
  }

  /**
   * The step that each thread repeats.
   *
   * @param file what holders note in, the same for all processes
   * @param process number of this process, from 1
   */
  abstract Step on(Path file, long process) throws IOException;

  private static void read(Contestant contestant, SharedHolders holders) throws Exception {
    once(contestant.takeRead(NAME), holders, 1, ALL);
  }

  private static void once(Contestant.Held held, SharedHolders holders, int permits, int capacity)
      throws Exception {
    holders.taken(permits, capacity);
    holders.free(permits);
    held.free();
  }
}
