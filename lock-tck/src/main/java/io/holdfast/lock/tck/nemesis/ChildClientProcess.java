/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.FakeClock;
import io.holdfast.lock.servers.StartupParameters;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.NamedFault.Loss;
import io.holdfast.lock.tck.ServerFaultCatalog;
import io.holdfast.lock.tck.history.Event;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A client process in a JVM of its own, behind a link of its own where there is one. When it was
 * killed, another takes its place: with another name, and over the same link. It has been waiting
 * for that with an open client, as a JVM takes longer to start than most of these live.
 */
final class ChildClientProcess implements ClientProcess {

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration END = Duration.ofSeconds(40);
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(400);
  private static final String KILLED = "SIGKILL";
  private static final String ASKED = "SIGTERM";

  private static final Duration STEP = Duration.ofHours(1);

  /** By then every process has seen it. */
  private static final Duration STEP_SEEN = Duration.ofMillis(1_500);

  private static final Duration CALM = Duration.ofMillis(3_500);

  private final String name;
  private final WorkerConfig config;
  private final Duration ttl;
  private final Duration freeAfterDeath;

  /** The fate of locks whose connection breaks. */
  private final Loss ofConnection;

  private final Optional<FakeClock> clock;
  private final Optional<TcpProxy> link;
  private final Map<String, String> settings;
  private final ProcessLog log;
  private final List<String> troubles = new ArrayList<>();
  private final Deque<Life> spares = new ArrayDeque<>();
  private int started;
  private Optional<Life> now = Optional.empty();

  /** A process, and its name in the history. */
  private record Life(String name, ChildJvm jvm) {}

  /**
   * Opens its link.
   *
   * @param clock its wall clock, if that is not the host's; closed with it
   * @param config for all that take its place; their names begin with that of the party
   */
  ChildClientProcess(
      Fixture fixture, Optional<FakeClock> clock, WorkerConfig config, ProcessLog log) {
    this.name = config.clientProcess();
    this.config = config;
    this.ttl = fixture.timing().ttl();
    this.freeAfterDeath = fixture.timing().freeAfterDeath();
    this.ofConnection =
        ServerFaultCatalog.needsConnections(fixture.promises().lifetime())
            ? Loss.POSSIBLE
            : Loss.NONE;
    this.log = log;
    this.clock = clock;
    this.link = usable(fixture);
    this.settings = link.flatMap(fixture::settings).or(fixture::settings).orElseThrow();
  }

  /** Whether a fault ends a process. */
  static boolean isEnd(NamedFault fault) {
    return fault.name().equals(KILLED) || fault.name().equals(ASKED);
  }

  private static Optional<TcpProxy> usable(Fixture fixture) {
    Optional<TcpProxy> link = fixture.link();
    if (link.isPresent() && fixture.settings(link.get()).isEmpty()) {
      link.get().close();
      return Optional.empty();
    }
    return link;
  }

  private Life start() {
    started++;
    WorkerConfig own = config.of(name + "-" + started, config.seed() + started);
    Path output = config.directory().resolve(own.process() + ".log");
    ChildJvm child =
        ChildJvm.start(
            ClientProcessMain.class,
            clock.map(FakeClock::environment).orElse(Map.of()),
            line -> RunDirectory.append(output, line));
    StartupParameters.send(child, own.toFacts(settings));
    return new Life(own.process(), child);
  }

  @Override
  public void prepare(int ends) {
    for (int i = 0; i <= ends; i++) {
      spares.add(start());
    }
  }

  @Override
  public void awaitReady() {
    spares.forEach(life -> life.jvm().awaitLine(ClientProcessMain.READY::equals, START));
  }

  @Override
  public void begin() {
    Life next = spares.isEmpty() ? start() : spares.remove();
    now = Optional.of(next);
    next.jvm().send("begin");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String process() {
    return now.map(Life::name).orElse(name);
  }

  private ChildJvm jvm() {
    return now.orElseThrow().jvm();
  }

  @Override
  public List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    NamedFault brief =
        NamedFault.survived("SIGSTOP", MOMENT, SHORT_PAUSE, this::suspend, this::resume);
    NamedFault lengthy =
        NamedFault.survived(
            "SIGSTOP",
            freeAfterDeath.multipliedBy(11).dividedBy(10),
            freeAfterDeath.multipliedBy(17).dividedBy(10),
            this::suspend,
            this::resume);
    NamedFault killed =
        NamedFault.survived(KILLED, MOMENT, SHORT_PAUSE, () -> end("KILL"), this::begin);
    NamedFault asked =
        NamedFault.survived(ASKED, MOMENT, SHORT_PAUSE, () -> end("TERM"), this::begin);
    targets.add(
        Target.process(
            name,
            CALM,
            List.of(brief, brief, brief, brief, brief, lengthy, lengthy, killed, asked)));
    link.ifPresent(
        open ->
            targets.add(
                Target.link(
                    name,
                    CALM,
                    LinkFaults.of(open, ttl, ofConnection),
                    isFirst() ? Optional.empty() : Optional.of(LinkFaults.dying(open, ttl)))));
    clock.ifPresent(
        open ->
            targets.add(
                Target.clock(
                    name,
                    CALM,
                    List.of(
                        step(open, "step ahead by an hour", STEP),
                        step(open, "step back by an hour", STEP.negated())))));
    return targets;
  }

  /** Its link is the one that does not die at last: somebody has to take what the others lose. */
  private boolean isFirst() {
    return name.equals(Run.PARTIES.get(0));
  }

  private static NamedFault step(FakeClock clock, String name, Duration by) {
    return NamedFault.survived(
        name,
        STEP_SEEN,
        STEP_SEEN.multipliedBy(2),
        () -> clock.set(by),
        () -> clock.set(Duration.ZERO));
  }

  private void suspend() {
    checkAlive();
    log.write(new Event.Suspended(System.nanoTime(), log.process(), process()));
    jvm().suspend();
  }

  private void resume() {
    jvm().resume();
    log.write(new Event.Continued(System.nanoTime(), log.process(), process()));
  }

  private void end(String signal) {
    checkAlive();
    log.write(new Event.Killed(System.nanoTime(), log.process(), process(), signal));
    if (signal.equals("TERM")) {
      jvm().terminate();
    } else {
      jvm().kill();
    }
    exited();
  }

  private void exited() {
    long code = jvm().exitCode().orElse(-1);
    log.write(new Event.Exited(System.nanoTime(), log.process(), process(), code));
    jvm().close();
  }

  /** One that has ended by itself is replaced, and told of. */
  private void checkAlive() {
    OptionalInt code = jvm().exitCode();
    if (code.isPresent()) {
      troubles.add(
          "%s ended by itself with %d: %s".formatted(process(), code.getAsInt(), jvm().errors()));
      exited();
      begin();
    }
  }

  @Override
  public void askToEnd() {
    checkAlive();
    try {
      jvm().send("end");
    } catch (UncheckedIOException e) {
      // It has ended by itself just now, which its exit code tells.
    }
  }

  @Override
  public List<String> finish() {
    try {
      int code = jvm().awaitExit(END);
      if (code != 0) {
        troubles.add("%s ended with %d: %s".formatted(process(), code, jvm().errors()));
      }
    } catch (IllegalStateException e) {
      troubles.add(process() + " does not come to its end: " + e.getMessage());
      jvm().kill();
    }
    exited();
    return troubles;
  }

  @Override
  public void close() {
    now.ifPresent(life -> life.jvm().close());
    spares.forEach(life -> life.jvm().close());
    link.ifPresent(TcpProxy::close);
    clock.ifPresent(FakeClock::close);
  }
}
