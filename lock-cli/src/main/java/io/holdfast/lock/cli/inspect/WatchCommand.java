/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.cli.common.BackendOptions;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Shutdown;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.cli.common.TimeConverter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast watch}. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the locks of a namespace as they come and go.",
      "On a terminal the list is redrawn; otherwise, and with --json, there is a line"
          + " for each change. It asks the server at intervals, so what is held for a shorter time"
          + " may not be seen. Ctrl-C ends it."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the time is over",
      ExitCodes.USAGE_TEXT,
      ExitCodes.UNAVAILABLE_TEXT + " at the beginning",
      ExitCodes.INTERRUPTED_TEXT,
      ExitCodes.TERMINATED_TEXT
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast watch --backend redis://localhost:6379",
      "  holdfast watch --scenario batch --for 10m --json >> changes.json"
    })
public final class WatchCommand implements Callable<Integer> {

  private static final int LIMIT = 10_000;

  private final Terminal terminal;

  @Mixin private BackendOptions backend = new BackendOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--for",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      description = "How long, such as 10s or 5m. Default: until Ctrl-C.")
  private @Nullable Duration time;

  @Option(
      names = "--interval",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "How often to ask. Default: 1s.")
  private Duration interval = Duration.ofSeconds(1);

  /**
   * For the command line.
   *
   * @param terminal on which to draw
   */
  public WatchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = backend.target(Optional.empty());
    View view =
        terminal.screen() && !output.isJson()
            ? new RedrawnView(target.describe(), terminal, output)
            : new ChangesView(output);
    long end = time == null ? Long.MAX_VALUE : System.nanoTime() + time.toNanos();
    try (Shutdown shutdown = new Shutdown();
        LockClient client = target.open()) {
      LockInspector inspector = client.inspector();
      shutdown.signals(Thread.currentThread()::interrupt);
      view.show(inspector.held(LIMIT));
      while (pause(end)) {
        look(inspector, view);
      }
    } catch (InterruptedException e) {
      // By a signal, which has set the exit code.
      return ExitCodes.OK;
    }
    return ExitCodes.OK;
  }

  /** A display of the holders. */
  interface View {

    /** All that are held now. */
    void show(List<LockHolder> held);

    /** The server did not say which are held now. */
    void blind(String why);
  }

  private static void look(LockInspector inspector, View view) {
    try {
      view.show(inspector.held(LIMIT));
    } catch (LockUnavailableException e) {
      view.blind(String.valueOf(e.getMessage()));
    }
  }

  /** Whether there is time left after the next interval. */
  private boolean pause(long end) throws InterruptedException {
    long left = time == null ? Long.MAX_VALUE : end - System.nanoTime();
    long nap = Math.min(left, interval.toNanos());
    return nap > 0 && !new CountDownLatch(1).await(nap, TimeUnit.NANOSECONDS) && nap < left;
  }
}
