/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.LockNameConverter;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Shutdown;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.cli.common.TimeConverter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast run}: a command that runs only while a lock is held. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a command while holding a lock.",
      "The command finds HOLDFAST_TOKEN, a number greater than that of every holder before that"
          + " could not hold at the same time, in its environment, and HOLDFAST_LOCK and"
          + " HOLDFAST_OWNER. Where the lock cannot be kept, the command gets TERM ahead of the"
          + " end, and KILL at it. Where it is lost already, as after"
          + " 'release --force', KILL comes a second after TERM at most. What it started gets the"
          + " same. A signal to holdfast goes on to all of them as TERM. The lock is kept until the"
          + " command has ended; what it started then has the time of --grace before it gets KILL.",
      "With several locks there are HOLDFAST_LOCK_1, HOLDFAST_TOKEN_1, HOLDFAST_LOCK_2 and so on"
          + " instead, in the order of --name.",
      "A name is a lock, unless --shared or --exclusive say that it is a read-write lock, or --of"
          + " that it is a semaphore. All that use a name at the same time have to mean the same"
          + " by it; whoever does not is refused with exit code 2.",
      "Variables that begin with HOLDFAST_BACKEND_ are not passed on to the command: passwords may"
          + " be among them."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0-255:the command's own, if it held the lock until its end",
      ExitCodes.USAGE_TEXT,
      ExitCodes.UNAVAILABLE_TEXT + "; the command did not run",
      "75:the lock is busy; the command did not run",
      "76:the lock was lost, or its maximum hold passed; the command was ended, or ended too late",
      "126:the command exists, but may not be run",
      "127:the command does not exist",
      ExitCodes.INTERRUPTED_TEXT,
      ExitCodes.TERMINATED_TEXT
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast run --name nightly --backend redis://localhost:6379 -- ./nightly.sh",
      "  holdfast run --name nightly --scenario batch --wait 30s -- ./nightly.sh --all",
      "  holdfast run --name nightly --config locks.properties -- ./nightly.sh",
      "  holdfast run --name nightly --scenario batch --min-hold 30s --max-hold 2h -- ./nightly.sh",
      "  holdfast run --name stock --name orders --scenario batch -- ./reconcile.sh",
      "  holdfast run --shared --name prices --scenario batch -- ./report.sh",
      "  holdfast run --exclusive --name prices --scenario batch -- ./import.sh",
      "  holdfast run --permits 2 --of 5 --name exports --scenario batch -- ./export.sh"
    })
public final class RunCommand implements Callable<Integer> {

  private static final int GRACES_PER_TTL = 6;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--name",
      required = true,
      converter = LockNameConverter.class,
      paramLabel = "LOCK",
      description =
          "The lock's name. Given several times, the command runs while all of the locks are held.")
  private List<String> names = List.of();

  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private ShareOptions shares = new ShareOptions();

  @Option(
      names = "--wait",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "How long to wait for the lock, such as 30s or 5m. Default: not at all.")
  private Duration wait = Duration.ZERO;

  @Option(
      names = "--ttl",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description =
          "How long the lock outlives a holder that has died. Default: the scenario's, or 30s.")
  private @Nullable Duration ttl;

  @Option(
      names = "--min-hold",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description =
          "How long the lock stays taken from its grant, also if the command ends earlier. Default:"
              + " the scenario's, or not at all.")
  private @Nullable Duration minHold;

  @Option(
      names = "--max-hold",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description =
          "After which time from its grant the lock is lost, and the command ended. Default: the"
              + " scenario's, or never.")
  private @Nullable Duration maxHold;

  @Option(
      names = "--grace",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description =
          "How long before KILL the command gets TERM, if the lock is not lost before. Default: a"
              + " sixth of the TTL, at most half.")
  private @Nullable Duration grace;

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "What to run.")
  private List<String> command = List.of();

  /** For the command line. */
  public RunCommand() {}

  @Override
  public Integer call() {
    Target target = backend.target(Optional.ofNullable(ttl));
    Share share = shares.share(names, target.scenario().permits());
    Duration kept = target.scenario().options().ttl();
    Duration warned = grace == null ? kept.dividedBy(GRACES_PER_TTL) : grace;
    if (warned.multipliedBy(2).compareTo(kept) > 0) {
      throw wrong("--grace must be at most half of the TTL, as the lock is renewed only then");
    }
    LockOptions terms = terms(target.scenario().options());
    Optional<ProgramLookup.Obstacle> obstacle =
        ProgramLookup.obstacle(command.get(0), System.getenv().getOrDefault("PATH", ""));
    if (obstacle.isPresent()) {
      say(obstacle.get().text());
      return obstacle.get().exitCode();
    }
    try (Shutdown shutdown = new Shutdown();
        LockClient client = target.open()) {
      DistributedLock lock = ShareOptions.lock(client, share, names, terms);
      Optional<Lease> granted = lock.tryAcquire(wait);
      if (granted.isEmpty()) {
        say(ShareOptions.noun(share) + " '" + lock.name() + "' is busy");
        return ExitCodes.BUSY;
      }
      try (Lease lease = granted.get()) {
        return run(lease, share, terms, warned, shutdown);
      }
    } catch (InterruptedException e) {
      // By a signal, which has set the exit code.
      return ExitCodes.BUSY;
    }
  }

  private LockOptions terms(LockOptions scenario) {
    HoldTimes times = scenario.holdTimes();
    try {
      return scenario.withHoldTimes(
          new HoldTimes(
              minHold == null ? times.minimum() : minHold,
              maxHold == null ? times.maximum() : Optional.of(maxHold),
              times.lockDelay()));
    } catch (IllegalArgumentException e) {
      throw wrong("The hold times of --min-hold, --max-hold and the scenario: " + e.getMessage());
    }
  }

  private int run(Lease lease, Share share, LockOptions terms, Duration warned, Shutdown shutdown)
      throws InterruptedException {
    GuardedProcess process;
    try {
      process = GuardedProcess.start(command, lease, names, warned);
    } catch (IOException e) {
      say(String.valueOf(e.getMessage()));
      return ExitCodes.NO_COMMAND;
    }
    shutdown.signals(process::terminate);
    OptionalInt exitCode = process.await();
    if (exitCode.isEmpty()) {
      say(
          "%s '%s' was lost%s before the command had ended"
              .formatted(
                  ShareOptions.noun(share),
                  lease.lockName(),
                  terms.holdTimes().maximum().isEmpty() ? "" : ", or its maximum hold passed,"));
      return ExitCodes.LOST;
    }
    return exitCode.getAsInt();
  }

  private void say(String message) {
    Output.say(commandLine(), message);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(commandLine(), message);
  }

  private CommandLine commandLine() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }
}
