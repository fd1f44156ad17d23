/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Locks;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast providers}. */
@Command(
    name = "providers",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which kinds of backends are on the class path, and what each promises.",
      "Connects to nothing. What the words mean is in docs/choosing.md."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:shown", ExitCodes.USAGE_TEXT},
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast providers",
      "  holdfast providers --json | jq -r '.[] | select(.survival == \"minority\").provider'"
    })
public final class ProvidersCommand implements Callable<Integer> {

  /** Each of its clients has a server of its own, inside this JVM. */
  private static final String FOR_TESTS = "memory";

  @Mixin private Output output = new Output();

  /** For the command line. */
  public ProvidersCommand() {}

  @Override
  public Integer call() {
    List<Map<String, Object>> all = new ArrayList<>();
    Table table =
        new Table(
            "PROVIDER", "TOKENS GROW", "LIFETIME", "ORDER", "EXPIRY CLOCK", "SCOPE", "SURVIVES");
    for (String name : Locks.providers()) {
      Capabilities promised = Locks.provider(name).capabilities();
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("provider", name);
      json.putAll(CapabilityTexts.json(promised));
      all.add(json);
      table.row(
          FOR_TESTS.equals(name) ? name + " (for tests)" : name,
          CapabilityTexts.words(promised.fencing()),
          CapabilityTexts.words(promised.lifetime()),
          CapabilityTexts.words(promised.ordering()),
          CapabilityTexts.words(promised.expiryClock()),
          CapabilityTexts.words(promised.scope()),
          CapabilityTexts.words(promised.survival()));
    }
    if (output.isJson()) {
      output.json(all);
    } else {
      output.lines(table.lines());
    }
    return ExitCodes.OK;
  }
}
