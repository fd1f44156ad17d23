/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.history.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * In a JVM of its own, behind a link of its own where there is one. When it was killed, another
 * takes its place: with another name, and over the same link.
 */
final class ProcessParty implements Party {

  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(40);
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(400);
  private static final Duration CALM = Duration.ofSeconds(3);

  private final String name;
  private final Orders orders;
  private final Duration ttl;
  private final Duration freeAfterDeath;
  private final Optional<TcpProxy> link;
  private final Map<String, String> settings;
  private final Log log;
  private final List<String> troubles = new ArrayList<>();
  private int life;
  private ChildJvm jvm;

  /**
   * Starts the first.
   *
   * @param orders for all that take its place; their names begin with the process of these
   */
  ProcessParty(Fixture fixture, Orders orders, Log log) {
    this.name = orders.process();
    this.orders = orders;
    this.ttl = fixture.timing().ttl();
    this.freeAfterDeath = fixture.timing().freeAfterDeath();
    this.log = log;
    this.link = usable(fixture);
    this.settings = link.flatMap(fixture::settings).or(fixture::settings).orElseThrow();
    this.jvm = start();
  }

  private static Optional<TcpProxy> usable(Fixture fixture) {
    Optional<TcpProxy> link = fixture.link();
    if (link.isPresent() && fixture.settings(link.get()).isEmpty()) {
      link.get().close();
      return Optional.empty();
    }
    return link;
  }

  private ChildJvm start() {
    life++;
    Orders own = orders.of(process(), orders.seed() + life);
    Path output = orders.directory().resolve(own.process() + ".log");
    return ChildJvm.start(
        ContenderMain.class,
        line -> RunDirectory.append(output, line),
        own.toArguments(settings).toArray(String[]::new));
  }

  @Override
  public void awaitReady() {
    jvm.awaitLine(ContenderMain.READY::equals, START);
  }

  private String process() {
    return name + "-" + life;
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
        NamedFault.survived("SIGKILL", MOMENT, SHORT_PAUSE, () -> end("KILL"), this::startAgain);
    NamedFault asked =
        NamedFault.survived("SIGTERM", MOMENT, SHORT_PAUSE, () -> end("TERM"), this::startAgain);
    targets.add(new Target(name, CALM, List.of(brief, brief, lengthy, lengthy, killed, asked)));
    link.ifPresent(
        open -> targets.add(new Target("link of " + name, CALM, LinkFaults.of(open, ttl))));
    return targets;
  }

  private void suspend() {
    checkAlive();
    log.write(new Event.Suspended(System.nanoTime(), log.process(), process()));
    jvm.suspend();
  }

  private void resume() {
    jvm.resume();
    log.write(new Event.Continued(System.nanoTime(), log.process(), process()));
  }

  private void end(String signal) {
    checkAlive();
    log.write(new Event.Killed(System.nanoTime(), log.process(), process(), signal));
    if (signal.equals("TERM")) {
      jvm.terminate();
    } else {
      jvm.kill();
    }
    exited();
  }

  private void exited() {
    long code = jvm.exitCode().orElse(-1);
    log.write(new Event.Exited(System.nanoTime(), log.process(), process(), code));
    jvm.close();
  }

  private void startAgain() {
    jvm = start();
  }

  /** One that has ended by itself is replaced, and told of. */
  private void checkAlive() {
    OptionalInt code = jvm.exitCode();
    if (code.isPresent()) {
      troubles.add(
          "%s ended by itself with %d: %s".formatted(process(), code.getAsInt(), jvm.errors()));
      exited();
      startAgain();
    }
  }

  @Override
  public List<String> finish() {
    checkAlive();
    try {
      jvm.send("end");
      int code = jvm.awaitExit(END);
      if (code != 0) {
        troubles.add("%s ended with %d: %s".formatted(process(), code, jvm.errors()));
      }
    } catch (IllegalStateException e) {
      troubles.add(process() + " does not come to its end: " + e.getMessage());
      jvm.kill();
    }
    exited();
    return troubles;
  }

  @Override
  public void close() {
    jvm.close();
    link.ifPresent(TcpProxy::close);
  }
}
