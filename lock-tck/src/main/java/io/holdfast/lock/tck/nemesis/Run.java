/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Stalls;
import io.holdfast.lock.tck.history.Checker;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.Expectations;
import io.holdfast.lock.tck.history.History;
import io.holdfast.lock.tck.history.HistoryWriter;
import io.holdfast.lock.tck.history.TimeLine;
import io.holdfast.lock.tck.history.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One run, from the start of its processes to what was left behind. */
final class Run implements AutoCloseable {

  private static final String NAME = "nemesis";
  private static final String LINK = "link";
  private static final String SERVER = "server";

  /** Of locks at one server that somebody else may have left behind. */
  private static final long MARKS = 36L * 36 * 36 * 36;

  private static final int PARTIES = 3;
  private static final int LOCKS = 3;
  private static final Duration SERVER_CALM = Duration.ofMillis(2_500);
  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final Duration SLACK = Duration.ofSeconds(4);
  private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

  private final Fixture fixture;
  private final long seed;
  private final Duration length;
  private final Path directory;
  private final List<String> locks = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private final List<Party> parties = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Random random;
  private final HistoryWriter history;
  private final Log log;
  private final Rows rows;

  Run(Fixture fixture, long seed, Duration length, Path directory) {
    this.fixture = fixture;
    this.seed = seed;
    this.length = length;
    this.directory = directory.toAbsolutePath();
    this.random = new Random(seed);
    String mark = Long.toString(System.nanoTime() % MARKS, 36);
    for (int i = 1; i <= LOCKS; i++) {
      locks.add("n" + i + "-" + mark);
    }
    RunDirectory.prepare(directory);
    history = HistoryWriter.open(directory, NAME);
    log = new Log(NAME, history);
    rows = Rows.open(skipped);
  }

  NemesisReport carryOut() throws InterruptedException {
    try (Stalls stalls = new Stalls()) {
      long begun = System.nanoTime();
      startParties();
      List<Lane.Struck> struck = strike();
      stop.await(quiet().toNanos(), TimeUnit.NANOSECONDS);
      for (Party party : parties) {
        troubles.addAll(party.finish());
      }
      count();
      lookForResidue();
      return judge(struck, begun, stalls.since(begun));
    }
  }

  /** What only lacks time is not held against the locks if the machine lacked it. */
  private NemesisReport judge(List<Lane.Struck> struck, long begun, Optional<String> stall) {
    History history = History.read(directory);
    List<Violation> found = Checker.check(Forsaken.without(history, struck), expectations());
    String title = "%s under faults, seed %d".formatted(fixture.name(), seed);
    TimeLine.of(history).write(directory.resolve(NemesisReport.PAGE), title, found);
    Map<Boolean, List<Violation>> excused =
        found.stream()
            .collect(
                Collectors.partitioningBy(one -> stall.isPresent() && one.kind().isAboutTime()));
    return new NemesisReport(
        fixture.name(),
        seed,
        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
        count(history, Event.Granted.class, event -> true),
        count(history, Event.Killed.class, event -> true),
        count(history, Event.Suspended.class, event -> true),
        count(history, Event.FaultBegun.class, fault -> fault.target().startsWith(LINK)),
        count(history, Event.FaultBegun.class, fault -> fault.target().equals(SERVER)),
        count(history, Event.Wrote.class, wrote -> wrote.answer() == Event.Answer.REFUSED),
        excused.getOrDefault(false, List.of()),
        excused.getOrDefault(true, List.of()),
        troubles,
        skipped,
        directory);
  }

  private static <E extends Event> int count(History history, Class<E> kind, Predicate<E> wanted) {
    return (int)
        history.events().stream().filter(kind::isInstance).map(kind::cast).filter(wanted).count();
  }

  private Expectations expectations() {
    return Expectations.of(longestLease()).withFencing(isFenced()).withFifo(isQueued());
  }

  /** Some are extended by up to a TTL. */
  private Duration longestLease() {
    Duration extended = fixture.timing().ttl().multipliedBy(2);
    Duration dead = fixture.timing().freeAfterDeath();
    return extended.compareTo(dead) > 0 ? extended : dead;
  }

  /** After the last fault: long enough that it shows whether everybody gets every lock again. */
  private Duration quiet() {
    return longestLease().plus(QUIET);
  }

  private boolean isQueued() {
    return fixture.promises().ordering() == Capabilities.Ordering.FIRST_COME_FIRST_SERVED;
  }

  private boolean isFenced() {
    return fixture.promises().fencing() != Capabilities.Fencing.NONE;
  }

  private void startParties() {
    boolean apart = fixture.settings().isPresent();
    if (!apart) {
      skipped.add("SIGKILL, SIGTERM and SIGSTOP of processes: no other can reach the backend");
    }
    for (int i = 1; i <= PARTIES; i++) {
      Orders orders = orders("w" + i);
      parties.add(apart ? new ProcessParty(fixture, orders, log) : new LocalParty(fixture, orders));
    }
    parties.forEach(Party::awaitReady);
  }

  private Orders orders(String process) {
    return new Orders(
        process,
        random.nextLong(),
        directory,
        locks,
        fixture.timing().ttl(),
        isFenced(),
        isQueued(),
        rows.url());
  }

  private List<Lane.Struck> strike() throws InterruptedException {
    List<Target> targets = new ArrayList<>();
    targets.add(
        new Target(SERVER, SERVER_CALM, ServerFaults.of(fixture, locks, random.nextLong())));
    parties.forEach(party -> targets.addAll(party.targets()));
    if (targets.stream().noneMatch(target -> target.name().startsWith(LINK))) {
      skipped.add("faults of links: there are none that can be broken");
    }
    if (fixture.server().isEmpty()) {
      skipped.add("SIGSTOP, kill and restart of servers: there are none that can be touched");
    }
    List<Strike> schedule = Schedule.of(random.nextLong(), targets, length.minus(quiet()));
    schedule.forEach(
        strike -> RunDirectory.append(directory.resolve("schedule"), strike.toString()));
    long begun = System.nanoTime();
    AtomicLong numbers = new AtomicLong();
    List<Lane> lanes = new ArrayList<>();
    for (Target target : targets) {
      List<Strike> own =
          schedule.stream().filter(strike -> strike.target().equals(target.name())).toList();
      lanes.add(new Lane(own, begun, log, numbers, stop));
    }
    List<Lane.Struck> struck = new ArrayList<>();
    for (Lane lane : lanes) {
      lane.join();
      struck.addAll(lane.struck());
      troubles.addAll(lane.troubles());
    }
    return struck;
  }

  /** What has come of all that was written. */
  private void count() {
    for (Resource resource : orders(NAME).openResources()) {
      try (resource) {
        for (String lock : locks) {
          long value = resource.read(lock, Long.MAX_VALUE);
          log.write(new Event.Counted(System.nanoTime(), NAME, resource.name(lock), value));
        }
      } catch (IOException e) {
        troubles.add("what was written cannot be read: " + e);
      }
    }
  }

  private void lookForResidue() {
    long end = System.nanoTime() + fixture.timing().freeAfterDeath().plus(SLACK).toNanos();
    List<String> left = left();
    while (!left.isEmpty() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      left = left();
    }
    for (String what : left) {
      log.write(new Event.Residue(System.nanoTime(), NAME, what));
    }
  }

  private List<String> left() {
    return fixture.residue().stream()
        .filter(entry -> locks.stream().anyMatch(entry::contains))
        .toList();
  }

  @Override
  public void close() {
    stop.countDown();
    parties.forEach(Party::close);
    rows.close();
    history.close();
  }
}
