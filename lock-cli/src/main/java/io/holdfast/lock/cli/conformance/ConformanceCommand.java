/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.conformance;

import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.cli.common.TimeConverter;
import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import io.holdfast.lock.tck.report.Figures;
import io.holdfast.lock.tck.report.Report;
import io.holdfast.lock.text.VisibleText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast conformance}. */
@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    description = {
      "Holds a backend that you run to the numbered rules of SPEC.md, and writes a report: what is"
          + " held, what is not promised, what was skipped and why, and how long things take"
          + " there.",
      "Nothing is stopped or flushed. Locks are taken in the namespace '"
          + SettingsFixture.NAMESPACE
          + "', and by EX-9 in '"
          + SettingsFixture.NAMESPACE
          + "-other', and given back; the links that break and the processes that are killed are"
          + " its own. It takes some minutes, and some hundred requests a second."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every rule that was tried is held",
      ExitCodes.NO_TEXT + "a rule is broken",
      ExitCodes.USAGE_TEXT,
      "3:a rule could not be judged, because this machine stood still",
      ExitCodes.UNAVAILABLE_TEXT
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast conformance --backend redis://localhost:6379 --report report",
      "  holdfast conformance --scenario financial --rules EX,OW,LT-1 --json",
      "  holdfast conformance --config locks.properties --allow revoke --report report"
    })
public final class ConformanceCommand implements Callable<Integer> {

  private static final String REVOKE = "revoke";

  @Spec private @Nullable CommandSpec spec;
  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write PROVIDER.html, .md and .tsv there.")
  private @Nullable Path directory;

  @Option(
      names = "--rules",
      split = ",",
      paramLabel = "RULE",
      description = "Only these rules, or groups of rules, such as EX,OW-1. Default: all.")
  private List<String> rules = new ArrayList<>();

  @Option(
      names = "--allow",
      split = ",",
      paramLabel = "FAULT",
      description =
          "What rules may do in addition: '"
              + REVOKE
              + "', to take locks of their own away from their holders, as release --force does.")
  private List<String> allowed = new ArrayList<>();

  @Option(
      names = "--ttl",
      converter = TimeConverter.class,
      defaultValue = "3s",
      paramLabel = "TIME",
      description =
          "The TTL of the locks. Most of the time is spent on waiting for it. Default: 3s.")
  private Duration ttl = Duration.ofSeconds(3);

  /** For the command line. */
  public ConformanceCommand() {}

  @Override
  public Integer call() throws IOException {
    Set<String> chosen = chosen();
    if (!Set.of(REVOKE).containsAll(allowed)) {
      throw wrong("--allow is for '" + REVOKE + "', and not for " + allowed);
    }
    Target target = backend.target(Optional.empty());
    Map<String, String> settings = target.config().settings(target.scenario().name());
    Report report;
    try (SettingsFixture fixture = SettingsFixture.open(settings, ttl, allowed.contains(REVOKE))) {
      output.say(
          "%d rules, TTL %s; a dead holder's lock is expected to be free within %s"
              .formatted(
                  chosen.size(), Times.text(ttl), Times.text(fixture.timing().freeAfterDeath())));
      report = Report.of(fixture, Conformance.run(fixture, chosen::contains, this::progress));
    }
    Optional<Path> page = Optional.empty();
    if (directory != null) {
      page = Optional.of(report.write(directory));
    }
    if (output.isJson()) {
      output.json(json(target, report, page));
    } else {
      output.lines(report.lines().stream().map(VisibleText::of).toList());
      page.ifPresent(file -> output.line("The report: " + file));
    }
    return report.count(Verdict.FAILED) > 0
        ? ExitCodes.NO
        : report.count(Verdict.NOT_JUDGED) > 0 ? ExitCodes.WARNING : ExitCodes.OK;
  }

  private void progress(Result result) {
    output.note(
        "  %-12s %-6s %s".formatted(words(result.verdict()), result.rule(), result.title()));
  }

  private Set<String> chosen() {
    List<String> all = Conformance.rules();
    if (rules.isEmpty()) {
      return Set.copyOf(all);
    }
    List<String> chosen = new ArrayList<>();
    for (String wanted : rules) {
      String id = wanted.strip().toUpperCase(Locale.ROOT);
      List<String> found =
          all.stream().filter(rule -> rule.equals(id) || rule.startsWith(id + "-")).toList();
      if (found.isEmpty()) {
        throw wrong(
            "there is no rule and no group '"
                + wanted
                + "'; a rule is EX-1, for example, and a group EX");
      }
      chosen.addAll(found);
    }
    return Set.copyOf(chosen);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Optional.ofNullable(spec).orElseThrow().commandLine(), message);
  }

  private static Map<String, Object> json(Target target, Report report, Optional<Path> page) {
    Map<String, Object> json = target.json();
    for (Verdict verdict : Verdict.values()) {
      json.put(words(verdict), report.count(verdict));
    }
    json.put("report", page.map(Path::toString).orElse(null));
    json.put("bounds", report.bounds().stream().map(ConformanceCommand::json).toList());
    json.put("rules", report.results().stream().map(ConformanceCommand::json).toList());
    return json;
  }

  private static Map<String, Object> json(Figures figures) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bound", figures.bound().words());
    json.put("promisedMs", figures.promised().map(Duration::toMillis).orElse(null));
    json.put("medianMs", figures.median().toMillis());
    json.put("mostMs", figures.most().toMillis());
    json.put("times", figures.count());
    return json;
  }

  private static Map<String, Object> json(Result result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rule", result.rule());
    json.put("title", result.title());
    json.put("verdict", words(result.verdict()));
    json.put("detail", result.detail().isEmpty() ? null : result.detail());
    json.put("ms", result.took().toMillis());
    return json;
  }

  private static String words(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
