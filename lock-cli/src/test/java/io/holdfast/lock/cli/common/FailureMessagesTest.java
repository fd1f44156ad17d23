/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.StaleTokenException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tests with which exit code a command ends that fails, as docs/command-line.md has them. */
class FailureMessagesTest {

  @Command(name = "fails")
  static final class Fails implements Callable<Integer> {

    private final Exception failure;

    Fails(Exception failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }

  private final StringWriter err = new StringWriter();

  private int code(Exception failure) {
    CommandLine line = new CommandLine(new Fails(failure));
    line.setErr(new PrintWriter(err, true));
    FailureMessages.handle(line);
    return line.execute();
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(ExitCodes.USAGE, new LockConfigurationException("no such setting")),
        Arguments.of(ExitCodes.USAGE, new LockCapacityException("nightly", 5, 8)),
        Arguments.of(ExitCodes.BUSY, new LockTimeoutException("not granted in time")),
        Arguments.of(ExitCodes.LOST, new LockLostException("taken away")),
        Arguments.of(ExitCodes.LOST, new StaleTokenException("report", 7, "8 has been there")),
        Arguments.of(ExitCodes.UNAVAILABLE, new LockUnavailableException("no answer")),
        Arguments.of(ExitCodes.UNAVAILABLE, new LockRejectedException("not permitted")),
        Arguments.of(ExitCodes.UNAVAILABLE, new UnsupportedOperationException("cannot tell")));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureIsAMessageAndACode(int code, Exception failure) {
    assertEquals(code, code(failure));
    assertTrue(err.toString().startsWith("holdfast: " + failure.getMessage()), err.toString());
    assertFalse(err.toString().contains("\tat "), err.toString());
  }

  @Test
  void aDefectIsShownWithItsPlace() {
    assertEquals(ExitCodes.DEFECT, code(new IllegalStateException("a defect")));
    assertTrue(err.toString().contains("a defect"), err.toString());
    assertTrue(err.toString().contains("\tat "), err.toString());
  }

  @Test
  void aMessageCannotControlTheTerminal() {
    // The message of a LockException is escaped already.
    code(new UnsupportedOperationException("lock 'a\u001b[2J\nb'"));
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(err.toString().contains("'a\\u001b[2J\\u000ab'"), err.toString());
  }
}
