/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.servers.FalseClock;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Stalls;
import io.holdfast.lock.tck.history.Checker;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.Expectations;
import io.holdfast.lock.tck.history.History;
import io.holdfast.lock.tck.history.HistoryWriter;
import io.holdfast.lock.tck.history.Summary;
import io.holdfast.lock.tck.history.TimeLine;
import io.holdfast.lock.tck.history.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** One run, from the start of its processes to what was left behind. */
final class Run implements AutoCloseable {

  private static final String NAME = "nemesis";

  /** Of locks at one server that somebody else may have left behind. */
  private static final long MARKS = 36L * 36 * 36 * 36;

  static final List<String> PARTIES = List.of("w1", "w2", "w3");
  private static final Duration SERVER_CALM = Duration.ofMillis(1_500);
  private static final Duration QUIET = Duration.ofSeconds(4);
  private static final Duration SLACK = Duration.ofSeconds(4);
  private static final Set<Violation.Kind> TAKEN =
      EnumSet.of(Violation.Kind.STUCK, Violation.Kind.NEVER_RECOVERED, Violation.Kind.RESIDUE);
  private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

  private final Fixture fixture;
  private final long seed;
  private final Profile profile;
  private final Path directory;
  private final LockNames names;
  private final List<String> locks;
  private final List<String> skipped = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private final List<Party> parties = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Random random;
  private final HistoryWriter history;
  private final Log log;
  private final Rows rows;

  Run(Fixture fixture, long seed, Profile profile, Path directory) {
    this.fixture = fixture;
    this.seed = seed;
    this.profile = profile;
    this.directory = directory.toAbsolutePath();
    this.random = new Random(seed);
    this.names = new LockNames(Long.toString(System.nanoTime() % MARKS, 36));
    this.locks = names.lasting(PARTIES);
    RunDirectory.prepare(directory);
    history = HistoryWriter.open(directory, NAME);
    log = new Log(NAME, history);
    rows = Rows.open(skipped);
  }

  NemesisReport carryOut() throws InterruptedException {
    try (Stalls stalls = new Stalls()) {
      openParties();
      List<Target> targets = targets();
      List<Strike> schedule =
          Schedule.of(random.nextLong(), targets, profile.length().minus(quiet()));
      begin(schedule);
      long begun = System.nanoTime();
      List<Lane.Struck> struck = strike(targets, schedule);
      stop.await(quiet().toNanos(), TimeUnit.NANOSECONDS);
      // All at once, as some wait for what others hold.
      parties.forEach(Party::askToEnd);
      for (Party party : parties) {
        troubles.addAll(party.finish());
      }
      count();
      lookForResidue();
      return judge(struck, begun, stalls.since(begun));
    }
  }

  /**
   * What only lacks time is not held against the locks if the machine lacked it; nor is a release
   * that was undone, as is declared.
   */
  private NemesisReport judge(List<Lane.Struck> struck, long begun, Optional<String> stall) {
    History history = History.read(directory);
    Forsaken forsaken = new Forsaken(history, struck, ttl(), longestLease());
    List<Violation> found = new ArrayList<>(Checker.check(forsaken.without(), expectations()));
    found.addAll(forsaken.stillBelieved(locks));
    String title = "%s under faults, seed %d".formatted(fixture.name(), seed);
    TimeLine.of(history).write(directory.resolve(NemesisReport.PAGE), title, found);
    Map<Boolean, List<Violation>> excused =
        found.stream()
            .collect(
                Collectors.partitioningBy(
                    one ->
                        (stall.isPresent() && one.kind().isAboutTime())
                            || (isOwnTaken(one) && forsaken.mayBeTakenAgain(lock(one)))));
    return new NemesisReport(
        fixture.name(),
        seed,
        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
        Summary.of(history),
        Strikes.of(history),
        excused.getOrDefault(false, List.of()),
        excused.getOrDefault(true, List.of()),
        troubles,
        skipped,
        directory);
  }

  /** Others have TTLs that end before they are missed. */
  private boolean isOwnTaken(Violation violation) {
    return TAKEN.contains(violation.kind()) && locks.stream().noneMatch(lock(violation)::contains);
  }

  private static String lock(Violation violation) {
    return violation.events().stream()
        .map(
            event ->
                event instanceof Event.Asked asked
                    ? asked.lock()
                    : event instanceof Event.Residue left ? left.what() : "")
        .findFirst()
        .orElse("");
  }

  /** Who does not wait for the lock waits for the backend, which has its own limit for that. */
  private Expectations expectations() {
    Expectations usual = Expectations.of(longestLease());
    return usual
        .withFencing(isFenced())
        .withFifo(isQueued())
        .withTimes(
            usual.tellingSlack(), longestLease().plus(usual.waitingSlack()), usual.recovery());
  }

  private Optional<Duration> ttl() {
    return fixture.promises().lifetime() == Capabilities.Lifetime.TTL
        ? Optional.of(fixture.timing().ttl())
        : Optional.empty();
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

  private void openParties() {
    boolean apart = fixture.settings().isPresent();
    if (!apart) {
      skipped.add("SIGKILL, SIGTERM and SIGSTOP of processes: no other can reach the backend");
    }
    Optional<FalseClock> clock = apart ? FalseClock.create() : Optional.empty();
    if (clock.isEmpty()) {
      skipped.add(
          "steps of wall clocks: "
              + (apart ? "there is no libfaketime here" : "no process has one of its own"));
    }
    skipped.add("steps of the servers' wall clocks: they have the host's");
    for (String party : PARTIES.subList(0, profile.processes())) {
      Orders orders = orders(party);
      parties.add(
          apart ? new ProcessParty(fixture, clock, orders, log) : new LocalParty(fixture, orders));
      // One is enough, and the others are as quick as they can be.
      clock = Optional.empty();
    }
  }

  private Orders orders(String party) {
    return new Orders(
        party,
        party,
        random.nextLong(),
        directory,
        names,
        fixture.timing().ttl(),
        longestLease(),
        profile.rest(),
        isFenced(),
        isQueued(),
        rows.url());
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    targets.add(
        Target.server(
            SERVER_CALM,
            ServerFaults.of(fixture, locks, random.nextLong()),
            ServerFaults.revocation(fixture, locks)));
    parties.forEach(party -> targets.addAll(party.targets()));
    if (targets.stream().noneMatch(Target::isLink)) {
      skipped.add("faults of links: there are none that can be broken");
    }
    if (fixture.server().isEmpty()) {
      skipped.add("SIGSTOP, kill and restart of servers: there are none that can be touched");
    }
    return targets;
  }

  /** All processes that it will take are ready before the first contends. */
  private void begin(List<Strike> schedule) {
    schedule.forEach(
        strike -> RunDirectory.append(directory.resolve("schedule"), strike.toString()));
    for (Party party : parties) {
      String process = Target.process(party.name());
      party.prepare(
          (int)
              schedule.stream()
                  .filter(strike -> strike.target().equals(process))
                  .filter(strike -> ProcessParty.isEnd(strike.fault()))
                  .count());
    }
    parties.forEach(Party::awaitReady);
    parties.forEach(Party::begin);
  }

  private List<Lane.Struck> strike(List<Target> targets, List<Strike> schedule)
      throws InterruptedException {
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
    List<String> names = new ArrayList<>(locks);
    // What was left by those that were killed ends with its time.
    parties.forEach(party -> names.add(this.names.own(party.process())));
    return fixture.residue().stream()
        .filter(entry -> names.stream().anyMatch(entry::contains))
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
