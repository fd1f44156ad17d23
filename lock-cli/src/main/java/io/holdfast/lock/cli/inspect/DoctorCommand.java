/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.cli.common.TimeConverter;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Connects, and looks for what would break a promise: what the servers keep through a restart,"
          + " what they give up when memory is short, their clocks, replicas and poolers, session"
          + " time-outs, and what this user may not do.",
      "Changes nothing. Each finding says which promise it touches and what to do about it."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well",
      ExitCodes.NO_TEXT + "a promise is broken in daily use",
      ExitCodes.USAGE_TEXT,
      "3:there are warnings: a promise breaks if something else happens",
      ExitCodes.UNAVAILABLE_TEXT
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast doctor --backend redis://localhost:6379",
      "  holdfast doctor --scenario financial",
      "  holdfast doctor --config locks.properties --json | jq '.servers[].findings[].text'"
    })
public final class DoctorCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--ttl",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description = "The TTL that locks will have. Default: the scenario's, or 30s.")
  private @Nullable Duration ttl;

  /**
   * For the command line.
   *
   * @param terminal that may show colours
   */
  public DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = backend.target(Optional.ofNullable(ttl));
    List<ServerReport> reports = new ArrayList<>();
    boolean open = false;
    try (LockClient client = target.open()) {
      open = true;
      reports.addAll(ServerHealth.of(client, target));
    } catch (LockConfigurationException e) {
      throw e;
    } catch (LockException e) {
      reports.add(ServerHealth.refused(target, e));
    }
    Severity worst =
        reports.stream()
            .flatMap(report -> report.findings().stream())
            .map(Finding::severity)
            .max(Severity::compareTo)
            .orElse(Severity.OK);
    if (output.isJson()) {
      output.json(json(target, reports, worst));
    } else {
      reports.forEach(report -> output.lines(lines(report)));
    }
    return open ? exitCode(worst) : ExitCodes.UNAVAILABLE;
  }

  private static int exitCode(Severity worst) {
    return switch (worst) {
      case OK -> ExitCodes.OK;
      case WARNING -> ExitCodes.WARNING;
      case BROKEN -> ExitCodes.NO;
    };
  }

  private List<String> lines(ServerReport report) {
    List<String> lines = new ArrayList<>();
    String version = report.version().isEmpty() ? "" : ", version " + report.version();
    lines.add(terminal.bold(VisibleText.of(report.server() + version)));
    if (report.findings().isEmpty()) {
      lines.add("  " + mark(Severity.OK) + "  nothing to report");
    }
    for (Finding finding : report.findings()) {
      lines.add(
          "  %s  %-13s %s"
              .formatted(
                  mark(finding.severity()),
                  CapabilityTexts.words(finding.promise()),
                  VisibleText.of(finding.text())));
      if (!finding.remedy().isEmpty()) {
        lines.add(" ".repeat(25) + VisibleText.of(finding.remedy()));
      }
    }
    return lines;
  }

  private String mark(Severity severity) {
    return switch (severity) {
      case OK -> terminal.good("ok     ");
      case WARNING -> terminal.doubtful("warning");
      case BROKEN -> terminal.bad("BROKEN ");
    };
  }

  private static Map<String, Object> json(
      Target target, List<ServerReport> reports, Severity worst) {
    Map<String, Object> json = target.json();
    json.put("worst", CapabilityTexts.words(worst));
    json.put("servers", reports.stream().map(DoctorCommand::json).toList());
    return json;
  }

  private static Map<String, Object> json(ServerReport report) {
    Map<String, Object> json = CapabilityTexts.json(report);
    json.put("findings", report.findings().stream().map(DoctorCommand::json).toList());
    return json;
  }

  private static Map<String, Object> json(Finding finding) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("severity", CapabilityTexts.words(finding.severity()));
    json.put("promise", CapabilityTexts.words(finding.promise()));
    json.put("text", finding.text());
    json.put("remedy", finding.remedy().isEmpty() ? null : finding.remedy());
    return json;
  }
}
