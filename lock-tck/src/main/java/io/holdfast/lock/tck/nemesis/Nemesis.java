/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.Fixture;
import java.nio.file.Path;

/**
 * Several processes contend for a few locks of a backend, while a schedule of faults strikes them,
 * their links and the servers; and what they wrote down is checked afterwards. Needs no test
 * framework.
 */
public final class Nemesis {

  private Nemesis() {}

  /**
   * Runs once.
   *
   * @param fixture the backend; its servers are as before at the end, without their data perhaps
   * @param seed what repeats the schedule, though not what threads do in between
   * @param profile for how long, and how busily
   * @param directory where the histories and pictures go; emptied before
   * @return what came of it
   * @throws InterruptedException if interrupted, when all that was started has been ended
   */
  public static NemesisReport run(Fixture fixture, long seed, Profile profile, Path directory)
      throws InterruptedException {
    try (Run run = new Run(fixture, seed, profile, directory)) {
      return run.carryOut();
    }
  }
}
