/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.LockNameConverter;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.text.VisibleText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast release --force}. */
@Command(
    name = "release",
    mixinStandardHelpOptions = true,
    description = {
      "Takes a lock from its holder, for one that hangs and cannot be stopped.",
      "The holder is not asked. It may be in the middle of a write, and continues until it learns"
          + " of its loss: at its next renewal, or when its validity ends. Only a resource that"
          + " compares fencing tokens refuses what it writes until then. Stopping its process is"
          + " the better way: that frees the lock too.",
      "Only the holder that is shown loses the lock; if another has it by then, nothing happens."
          + " Where several hold the name, as readers or with permits, --owner says which of them."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the holder no longer has it",
      ExitCodes.NO_TEXT + "it was free, or held by another by then, or you did not answer yes",
      ExitCodes.USAGE_TEXT,
      ExitCodes.UNAVAILABLE_TEXT + ", or freeing it would take other locks away"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast release --force nightly --backend redis://localhost:6379",
      "  holdfast release --force nightly --scenario batch --yes --json",
      "  holdfast release --force exports --owner host-1-iVhSCm1yPdIOxXGyNTyMsw-7 --scenario batch"
    })
public final class ReleaseCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Option(names = "--force", description = "Needed, as only its holder releases a lock normally.")
  private boolean force;

  @Option(
      names = "--owner",
      paramLabel = "OWNER",
      description =
          "The holder that loses it, as 'holdfast who' shows its owner, or its session where there"
              + " is no owner. Needed if several hold the name.")
  private @Nullable String owner;

  @Option(names = "--yes", description = "Do not ask for confirmation. For scripts.")
  private boolean yes;

  @Parameters(
      paramLabel = "NAME",
      converter = LockNameConverter.class,
      description = "The lock's name.")
  private String name = "";

  /**
   * For the command line.
   *
   * @param terminal on which to ask
   */
  public ReleaseCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!force) {
      throw wrong(
          "a lock is released by its holder, and stopping that process frees it, too; --force takes"
              + " it from one that hangs and cannot be stopped");
    }
    if (!yes && !terminal.keyboard()) {
      throw wrong("there is no terminal to ask on; --yes releases without asking");
    }
    try (LockClient client = backend.target(Optional.empty()).open()) {
      LockInspector inspector = client.inspector();
      List<LockHolder> holders = inspector.holders(name);
      if (holders.isEmpty()) {
        return told(Optional.empty(), false, "Lock '" + name + "' is free already");
      }
      Optional<LockHolder> holder = chosen(holders);
      if (holder.isEmpty()) {
        return told(holder, false, "Nothing was done: '" + name + "' is held by " + names(holders));
      }
      if (!yes && !confirmed(holder.get())) {
        return told(holder, false, "Nothing was done");
      }
      boolean freed = inspector.evict(holder.get());
      return told(
          holder,
          freed,
          freed
              ? "Lock '" + name + "' was taken from " + Holders.name(holder.get())
              : "Nothing was done: that holder did not have lock '" + name + "' any more");
    }
  }

  /** Empty if the owner that was named is none of them. */
  private Optional<LockHolder> chosen(List<LockHolder> holders) {
    List<LockHolder> meant =
        holders.stream()
            .filter(holder -> owner == null || Holders.identity(holder).equals(Optional.of(owner)))
            .toList();
    if (meant.size() > 1) {
      throw wrong(
          "several hold '%s': %s. --owner says which of them loses it"
              .formatted(VisibleText.of(name), names(meant)));
    }
    return meant.stream().findFirst();
  }

  private static String names(List<LockHolder> holders) {
    return holders.stream()
        .map(holder -> "%s (%s)".formatted(Holders.name(holder), holder.share()))
        .collect(Collectors.joining(", "));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Optional.ofNullable(spec).orElseThrow().commandLine(), message);
  }

  private boolean confirmed(LockHolder holder) throws IOException {
    Holders.sheet(holder).forEach(output::note);
    output.note("");
    output.note("It may be in the middle of a write, and continues until it learns of its loss.");
    output.note("Only a resource that compares fencing tokens refuses what it writes until then.");
    output.note("Type yes to take the lock from this holder:");
    String answer = terminal.input().readLine();
    return answer != null && answer.strip().equals("yes");
  }

  private int told(Optional<LockHolder> holder, boolean freed, String text) {
    if (output.isJson()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("lock", name);
      json.put("released", freed);
      json.put("holder", holder.map(Holders::json));
      output.json(json);
    } else {
      output.say(text);
    }
    return freed ? ExitCodes.OK : ExitCodes.NO;
  }
}
