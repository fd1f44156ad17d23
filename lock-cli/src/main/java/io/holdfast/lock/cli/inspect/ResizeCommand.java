/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.Share;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.LockNameConverter;
import io.holdfast.lock.cli.common.Output;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast resize}. */
@Command(
    name = "resize",
    mixinStandardHelpOptions = true,
    description = {
      "Changes how many permits a semaphore has, while it is in use.",
      "Its holders keep their permits; if they have more than there are now, nobody is granted any"
          + " until they fit. From then on, whoever asks with the old number is refused: so change"
          + " the programs together with it. A name that nobody uses takes the number of whoever"
          + " comes first, and needs no change."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it has the new number",
      ExitCodes.NO_TEXT + "it was not in use with the number of --from; nothing was done",
      ExitCodes.USAGE_TEXT,
      ExitCodes.UNAVAILABLE_TEXT
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast resize exports --from 5 --to 8 --backend redis://localhost:6379",
      "  holdfast resize exports --from 8 --to 5 --scenario batch --json"
    })
public final class ResizeCommand implements Callable<Integer> {

  private static final int FEWEST = 2;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "N",
      description = "How many permits it has. If it has another number, nothing is done.")
  private int from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "N",
      description = "How many permits it is to have.")
  private int to;

  @Parameters(
      paramLabel = "NAME",
      converter = LockNameConverter.class,
      description = "The semaphore's name.")
  private String name = "";

  /** For the command line. */
  public ResizeCommand() {}

  @Override
  public Integer call() {
    check("--from", from);
    check("--to", to);
    try (LockClient client = backend.target(Optional.empty()).open()) {
      LockInspector inspector = client.inspector();
      boolean changed = inspector.changeCapacity(name, from, to);
      if (output.isJson()) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("lock", name);
        json.put("resized", changed);
        json.put("from", from);
        json.put("to", to);
        output.json(json);
      } else {
        output.say(
            changed
                ? "'%s' has %d permits now. Whoever asks for one of %d is refused"
                    .formatted(name, to, from)
                : "Nothing was done: '%s' is not in use as %s%s"
                    .formatted(name, Share.describe(from), inUse(inspector.holders(name))));
      }
      return changed ? ExitCodes.OK : ExitCodes.NO;
    }
  }

  /** The kind of lock that the name is, if that is the reason. */
  private String inUse(List<LockHolder> holders) {
    return holders.stream()
        .map(holder -> holder.share().capacity())
        .filter(capacity -> capacity != from)
        .findFirst()
        .map(capacity -> ", but as " + Share.describe(capacity))
        .orElse("");
  }

  /** One permit would be a lock, whose capacity stays as it is. */
  private void check(String option, int permits) {
    if (permits < FEWEST || permits > Share.MOST_PERMITS) {
      throw new ParameterException(
          Optional.ofNullable(spec).orElseThrow().commandLine(),
          "%s must be from %d to %d, but is %d"
              .formatted(option, FEWEST, Share.MOST_PERMITS, permits));
    }
  }
}
