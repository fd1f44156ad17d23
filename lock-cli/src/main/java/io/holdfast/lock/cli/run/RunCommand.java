/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.cli.TimeConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "The command finds HOLDFAST_TOKEN, a number greater than that of every holder before, in its"
          + " environment, and HOLDFAST_LOCK and HOLDFAST_OWNER. Where the lock cannot be kept, the"
          + " command gets TERM ahead of the end, and KILL at it; what it started gets the same. A"
          + " signal to holdfast goes on to the command as TERM."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0-255:the command's own, if it held the lock until its end",
      "2:wrong usage or configuration; the command did not run",
      "69:the server of the lock cannot be reached, or refuses; the command did not run",
      "75:the lock is busy; the command did not run",
      "76:the lock was lost; the command was ended, or ended too late",
      "127:there is no such command"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast run --name nightly --provider redis --set uri=redis://localhost -- ./nightly.sh",
      "  holdfast run --name nightly --config locks.properties --wait 30s -- ./nightly.sh"
    })
public final class RunCommand implements Callable<Integer> {

  static final int UNAVAILABLE = 69;
  static final int BUSY = 75;
  static final int LOST = 76;
  static final int NO_COMMAND = 127;
  private static final int GRACES_PER_TTL = 6;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--name", required = true, paramLabel = "LOCK", description = "The lock's name.")
  private String name = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A properties file with the provider and its settings: the place for secrets.")
  private @Nullable Path config;

  @Option(names = "--provider", paramLabel = "NAME", description = "The kind of backend.")
  private @Nullable String provider;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the provider. Everybody here sees it in the list of processes.")
  private Map<String, String> settings = new HashMap<>();

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
      defaultValue = "30s",
      description = "How long the lock outlives a holder that has died. Default: 30s.")
  private Duration ttl = LockOptions.defaults().ttl();

  @Option(
      names = "--grace",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description = "How long before KILL comes TERM. Default: a sixth of the TTL, at most half.")
  private @Nullable Duration grace;

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "What to run.")
  private List<String> command = List.of();

  /** For the command line. */
  public RunCommand() {}

  @Override
  public Integer call() {
    Duration warned = grace == null ? ttl.dividedBy(GRACES_PER_TTL) : grace;
    if (warned.multipliedBy(2).compareTo(ttl) > 0) {
      throw wrong("--grace must be at most half of the TTL, as the lock is renewed only then");
    }
    try (Shutdown shutdown = new Shutdown();
        LockClient client = open()) {
      LockOptions options = LockOptions.defaults().withTtl(ttl);
      Optional<Lease> granted = client.lock(name, options).tryAcquire(wait);
      if (granted.isEmpty()) {
        say("Lock '" + name + "' is busy");
        return BUSY;
      }
      try (Lease lease = granted.get()) {
        return run(lease, warned, shutdown);
      }
    } catch (LockConfigurationException | IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    } catch (LockException e) {
      say(e.getMessage());
      return UNAVAILABLE;
    } catch (InterruptedException e) {
      // By a signal, which has set the exit code.
      return BUSY;
    }
  }

  private int run(Lease lease, Duration warned, Shutdown shutdown) throws InterruptedException {
    GuardedProcess process;
    try {
      process = GuardedProcess.start(command, lease, warned);
    } catch (IOException e) {
      say(e.getMessage());
      return NO_COMMAND;
    }
    shutdown.signals(process::terminate);
    OptionalInt exitCode = process.await();
    if (exitCode.isEmpty()) {
      say("Lock '" + name + "' was lost before the command had ended");
      return LOST;
    }
    return exitCode.getAsInt();
  }

  private LockClient open() {
    if (config != null) {
      if (provider != null || !settings.isEmpty()) {
        throw wrong("--config takes the place of --provider and --set");
      }
      return Locks.open(config);
    }
    if (provider == null) {
      throw wrong(
          "--config or --provider is missing; there are " + String.join(", ", Locks.providers()));
    }
    return Locks.open(provider, settings);
  }

  private void say(@Nullable String message) {
    PrintWriter err = Optional.ofNullable(spec).orElseThrow().commandLine().getErr();
    err.println("holdfast: " + message);
    err.flush();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Optional.ofNullable(spec).orElseThrow().commandLine(), message);
  }
}
