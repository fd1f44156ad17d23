/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Output;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the locks of a namespace that are held, and by whom.",
      "Readers of a read-write lock and holders of permits have a line each; their share is read,"
          + " write, or such as 2 of 5."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:listed", ExitCodes.USAGE_TEXT, ExitCodes.UNAVAILABLE_TEXT},
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast list --backend redis://localhost:6379",
      "  holdfast list --backend redis://localhost:6379 --set namespace=jobs",
      "  holdfast list --scenario financial --json | jq -r '.[].lock'"
    })
public final class ListCommand implements Callable<Integer> {

  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--limit",
      paramLabel = "N",
      converter = LimitConverter.class,
      defaultValue = "1000",
      description = "The most holders to list, in the order of the locks' names. Default: 1000.")
  private int limit = 1000;

  /** For the command line. */
  public ListCommand() {}

  @Override
  public Integer call() {
    List<LockHolder> held;
    try (LockClient client = backend.target(Optional.empty()).open()) {
      held = client.inspector().held(limit);
    }
    if (output.isJson()) {
      output.json(held.stream().map(Holders::json).toList());
    } else if (held.isEmpty()) {
      output.say("No lock is held");
    } else {
      output.lines(Holders.table(held).lines());
      if (held.size() == limit) {
        output.say("There may be more; see --limit");
      }
    }
    return ExitCodes.OK;
  }
}
