/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Connects, and shows which servers answer, what they promise, and how many locks are held.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the lock servers work", ExitCodes.USAGE_TEXT, ExitCodes.UNAVAILABLE_TEXT},
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast status --backend etcd://localhost:2379",
      "  holdfast status --scenario leader --json"
    })
public final class StatusCommand implements Callable<Integer> {

  /** Beyond that, the number is of no use to anybody. */
  private static final int MOST = 10_000;

  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  /** For the command line. */
  public StatusCommand() {}

  private record Found(
      Target target,
      Capabilities promised,
      Duration opening,
      List<ServerReport> servers,
      Held held) {}

  /** How many locks are held, and whether there may be more, or why that is not known. */
  private record Held(OptionalInt count, boolean more, String unknown) {

    static Held unknown(String why) {
      return new Held(OptionalInt.empty(), false, why);
    }
  }

  @Override
  public Integer call() {
    Found found = look(backend.target(Optional.empty()));
    if (output.isJson()) {
      output.json(json(found));
    } else {
      output.lines(lines(found));
    }
    return ExitCodes.OK;
  }

  private static Found look(Target target) {
    long began = System.nanoTime();
    try (LockClient client = target.open()) {
      Duration opening = Duration.ofNanos(System.nanoTime() - began);
      Capabilities promised = client.capabilities();
      Held held = held(client, promised);
      List<ServerReport> servers = client.examine(target.scenario().options().ttl());
      return new Found(target, promised, opening, servers, held);
    }
  }

  /** One who takes locks need not have the right to look for all of them. */
  private static Held held(LockClient client, Capabilities promised) {
    if (promised.inspection() == Capabilities.Inspection.NONE) {
      return Held.unknown("this backend cannot tell");
    }
    try {
      List<LockHolder> holders = client.inspector().held(MOST);
      long locks = holders.stream().map(LockHolder::lockName).distinct().count();
      return new Held(OptionalInt.of((int) locks), holders.size() == MOST, "");
    } catch (LockRejectedException e) {
      return Held.unknown(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> json(Found found) {
    Map<String, Object> json = found.target.json();
    json.put("openedInMs", found.opening.toMillis());
    OptionalInt count = found.held.count;
    json.put("held", count.isPresent() ? count.getAsInt() : null);
    json.put("heldNotKnown", count.isPresent() ? null : found.held.unknown);
    json.put("servers", found.servers.stream().map(CapabilityTexts::json).toList());
    json.put("promises", CapabilityTexts.json(found.promised));
    return json;
  }

  private static List<String> lines(Found found) {
    List<String> lines = new ArrayList<>();
    lines.add(VisibleText.of(found.target.describe()) + ", opened in " + Times.text(found.opening));
    for (ServerReport server : found.servers) {
      lines.add(
          "  server        " + VisibleText.of(server.server() + " " + server.version()).strip());
    }
    lines.add("  held          " + VisibleText.of(text(found.held)));
    CapabilityTexts.json(found.promised)
        .forEach(
            (fact, value) -> lines.add("  %-14s%s".formatted(CapabilityTexts.title(fact), value)));
    return lines;
  }

  private static String text(Held held) {
    if (held.count.isEmpty()) {
      return "not known (" + held.unknown + ")";
    }
    int count = held.count.getAsInt();
    return (count == 1 ? "1 lock" : count + " locks") + (held.more ? ", or more" : "");
  }
}
