/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.cli.common.TimeConverter;
import io.holdfast.lock.servers.RedisServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Three processes want one lock, at a real server. Its holders are killed, suspended, and"
            + " asked to release it. Exit code 0 if no two held it at a time, every take-over came"
            + " in time, and every token was greater than the one before.")
public final class DemoCommand implements Callable<Integer> {

  private static final String BACKENDS =
      "redis, redlock, zookeeper, etcd, postgres-advisory, postgres-table or postgres-row";

  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_TTL = Duration.ofMinutes(1);

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description = BACKENDS + "; by default redis if it is installed.")
  private @Nullable String backend;

  @Option(
      names = "--ttl",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "How long a silent holder keeps the lock: 1s to 60s. Default: 3s.")
  private Duration ttl = Duration.ofSeconds(3);

  @Option(
      names = "--slack",
      converter = TimeConverter.class,
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "How much later a take-over may come on a busy machine: 0s to 60s.")
  private Duration slack = Duration.ZERO;

  /** For the command line. */
  public DemoCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    check("--ttl", ttl, SHORTEST_TTL);
    check("--slack", slack, Duration.ZERO);
    Charset charset = charset();
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, charset);
    DemoOutput screen = new DemoOutput(out, charset, wantsColours());
    try (DemoServers demoServers = open(ttl, screen)) {
      screen.say(screen.bold("Three processes want one lock, \"order:12345\"."));
      screen.say("Its holders will be killed, suspended, and asked to release it.");
      screen.say(demoServers.keeps());
      screen.say("");
      demoServers.servers().forEach(server -> screen.say("  server:   " + server.describe()));
      try (Demonstration play = new Demonstration(demoServers, ttl, slack, screen)) {
        return play.run() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
      }
    } catch (IllegalStateException e) {
      screen.say(screen.bad("FAILED: " + e.getMessage()));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private DemoServers open(Duration time, DemoOutput screen) {
    String wanted = backend;
    if (wanted == null) {
      wanted = RedisServer.isAvailable() ? "redis" : "zookeeper";
      if (wanted.equals("zookeeper")) {
        screen.say(
            "There is no redis-server here, so ZooKeeper is shown (apt-get install redis-server"
                + " installs the other).");
        screen.say("");
      }
    }
    return switch (wanted) {
      case "redis" -> DemoServers.redis(time);
      case "redlock" -> DemoServers.redlock(time);
      case "zookeeper" -> DemoServers.zookeeper(time);
      case "etcd" -> DemoServers.etcd(time);
      case "postgres-advisory", "postgres-table", "postgres-row" ->
          DemoServers.postgres(wanted, time);
      case "memory" ->
          throw wrong(
              "--backend memory keeps its locks inside one process, but the demo has three;"
                  + " choose "
                  + BACKENDS);
      default -> throw wrong("--backend must be " + BACKENDS + ", but is '" + wanted + "'");
    };
  }

  private void check(String option, Duration time, Duration least) {
    if (time.compareTo(least) < 0 || time.compareTo(LONGEST_TTL) > 0) {
      throw wrong("%s must be from %ds to 60s".formatted(option, least.toSeconds()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Optional.ofNullable(spec).orElseThrow().commandLine(), message);
  }

  /** The launcher knows whether standard output is a terminal; a JVM does not tell reliably. */
  private static boolean wantsColours() {
    String noColor = System.getenv("NO_COLOR");
    return Boolean.getBoolean("holdfast.terminal")
        && (noColor == null || noColor.isEmpty())
        && !"dumb".equals(System.getenv("TERM"));
  }

  private static Charset charset() {
    String name = System.getProperty("stdout.encoding");
    if (name == null) {
      name = System.getProperty("native.encoding", "UTF-8");
    }
    return Charset.forName(name.toUpperCase(Locale.ROOT));
  }
}
