/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.text.Spelling;
import java.io.PrintWriter;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns a failure into a message and an exit code of {@link ExitCodes}. */
public final class FailureMessages {

  private FailureMessages() {}

  /**
   * Has them handled.
   *
   * @param line a command with all its subcommands
   */
  public static void handle(CommandLine line) {
    line.setParameterExceptionHandler(FailureMessages::wrongUsage);
    line.setExecutionExceptionHandler(FailureMessages::failed);
  }

  /** Without the whole help, which would push the message out of sight. */
  private static int wrongUsage(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    Output.say(command, String.valueOf(failure.getMessage()));
    PrintWriter err = command.getErr();
    suggest(failure, command, err);
    if (failure instanceof MissingParameterException) {
      Arrays.stream(command.getCommandSpec().usageMessage().footer())
          .limit(1)
          .forEach(example -> err.println("Such as: " + example.strip()));
    }
    err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'");
    err.flush();
    return ExitCodes.USAGE;
  }

  private static void suggest(ParameterException failure, CommandLine command, PrintWriter err) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && !command.getSubcommands().isEmpty()) {
      Spelling.nearest(unmatched.getUnmatched().get(0), command.getSubcommands().keySet())
          .ifPresent(
              name ->
                  err.println(
                      "Did you mean: " + command.getCommandSpec().qualifiedName() + " " + name));
    } else {
      UnmatchedArgumentException.printSuggestions(failure, err);
    }
  }

  private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
    // A backend that cannot say who holds its locks says that.
    if (failure instanceof LockException || failure instanceof UnsupportedOperationException) {
      Output.say(command, CommandLineText.text(String.valueOf(failure.getMessage())));
      if (failure instanceof LockCapacityException other) {
        Output.say(command, "As it is in use, it takes " + optionsFor(other.inUse()));
      }
    } else {
      failure.printStackTrace(command.getErr());
      command.getErr().flush();
    }
    return codeOf(failure);
  }

  /** Those of {@code run}, with which one uses a name that has this capacity. */
  private static String optionsFor(int capacity) {
    return switch (capacity) {
      case 1 -> "none of --shared, --exclusive and --of";
      case Share.READ_WRITE_CAPACITY -> "--shared or --exclusive";
      default -> "--of " + capacity;
    };
  }

  private static int codeOf(Exception failure) {
    // The server works: it is the options that have to change.
    if (failure instanceof LockConfigurationException || failure instanceof LockCapacityException) {
      return ExitCodes.USAGE;
    }
    if (failure instanceof LockTimeoutException) {
      return ExitCodes.BUSY;
    }
    if (failure instanceof LockLostException || failure instanceof StaleTokenException) {
      return ExitCodes.LOST;
    }
    return failure instanceof LockUnavailableException
            || failure instanceof LockRejectedException
            || failure instanceof UnsupportedOperationException
        ? ExitCodes.UNAVAILABLE
        : ExitCodes.DEFECT;
  }
}
