/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

/** The exit codes of all commands, so that none means two things. */
public final class ExitCodes {

  /** Done. */
  public static final int OK = 0;

  /** The answer is no. */
  public static final int NO = 1;

  /** Nothing was begun. */
  public static final int USAGE = 2;

  /** Only the doctor says so. */
  public static final int WARNING = 3;

  /** The server of the locks. */
  public static final int UNAVAILABLE = 69;

  /** An error of this program. */
  public static final int DEFECT = 70;

  /** Somebody else holds the lock. */
  public static final int BUSY = 75;

  /** The lock was lost while it was needed. */
  public static final int LOST = 76;

  /** The program to run may not be run. */
  public static final int NOT_EXECUTABLE = 126;

  /** There is no such program to run. */
  public static final int NO_COMMAND = 127;

  /** For the help of commands that answer a question. */
  public static final String NO_TEXT = "1:the answer is no: ";

  /** For the help of all commands. */
  public static final String USAGE_TEXT = "2:wrong usage or configuration; nothing was done";

  /** For the help of all commands that connect. */
  public static final String UNAVAILABLE_TEXT = "69:the lock server cannot be reached, or refuses";

  /** For the help of commands that last. */
  public static final String INTERRUPTED_TEXT = "130:ended by Ctrl-C";

  /** For the help of commands that last. */
  public static final String TERMINATED_TEXT = "143:ended by TERM";

  private ExitCodes() {}
}
