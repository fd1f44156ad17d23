/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.LockNameConverter;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.text.VisibleText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast who}. */
@Command(
    name = "who",
    mixinStandardHelpOptions = true,
    description = {
      "Shows who holds a lock, as the server says at this moment: all readers of a read-write lock,"
          + " or all that have permits of a semaphore, in the order of their grants.",
      "With --json it is a list, which is empty if the lock is free."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it is held",
      ExitCodes.NO_TEXT + "it is free",
      ExitCodes.USAGE_TEXT,
      ExitCodes.UNAVAILABLE_TEXT
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast who order:12345 --backend redis://localhost:6379",
      "  holdfast who nightly --scenario batch --json | jq -r '.[].owner'"
    })
public final class WhoCommand implements Callable<Integer> {

  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Parameters(
      paramLabel = "NAME",
      converter = LockNameConverter.class,
      description = "The lock's name.")
  private String name = "";

  /** For the command line. */
  public WhoCommand() {}

  @Override
  public Integer call() {
    List<LockHolder> holders;
    try (LockClient client = backend.target(Optional.empty()).open()) {
      holders = client.inspector().holders(name);
    }
    if (output.isJson()) {
      output.json(holders.stream().map(Holders::json).toList());
    } else if (holders.isEmpty()) {
      output.line("Lock '" + VisibleText.of(name) + "' is free");
    } else {
      output.lines(Holders.sheets(holders));
    }
    return holders.isEmpty() ? ExitCodes.NO : ExitCodes.OK;
  }
}
