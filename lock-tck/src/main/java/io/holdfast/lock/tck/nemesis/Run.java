/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.FakeClock;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.MachineStalls;
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

  /** Those included that several may have at once. */
  private final List<String> lasting;

  private final List<String> skipped = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private final List<ClientProcess> parties = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Random random;
  private final HistoryWriter history;
  private final ProcessLog log;
  private final FencedRowDatabase rows;

  Run(Fixture fixture, long seed, Profile profile, Path directory) {
    this.fixture = fixture;
    this.seed = seed;
    this.profile = profile;
    this.directory = directory.toAbsolutePath();
    this.random = new Random(seed);
    this.names = new LockNames(Long.toString(System.nanoTime() % MARKS, 36));
    this.locks = names.lasting(PARTIES);
    this.lasting = new ArrayList<>(locks);
    lasting.addAll(names.shared(fixture.promises().sharing()));
    RunDirectory.prepare(directory);
    history = HistoryWriter.open(directory, NAME);
    log = new ProcessLog(NAME, history);
    rows = FencedRowDatabase.open(skipped);
  }

  NemesisReport carryOut() throws InterruptedException {
    try (MachineStalls stalls = new MachineStalls()) {
      openParties();
      List<Target> targets = targets();
      List<ScheduledFault> schedule =
          Schedule.of(random.nextLong(), targets, profile.length().minus(quiet()));
      begin(schedule);
      long begun = System.nanoTime();
      List<FaultRunner.Struck> struck = scheduled(targets, schedule);
      stop.await(quiet().toNanos(), TimeUnit.NANOSECONDS);
      // All at once, as some wait for what others hold.
      parties.forEach(ClientProcess::askToEnd);
      for (ClientProcess clientProcess : parties) {
        troubles.addAll(clientProcess.finish());
      }
      count();
      lookForResidue();
      return judge(struck, begun, stalls.since(begun));
    }
  }

  /**
   * Delays alone are not held against the locks if the machine lacked time; nor is a release that
   * was undone, as is declared.
   */
  private NemesisReport judge(List<FaultRunner.Struck> struck, long begun, Optional<String> stall) {
    History history = History.read(directory);
    RevokedLeases revoked = new RevokedLeases(history, struck, ttl(), longestLease());
    List<Violation> found = new ArrayList<>(Checker.check(revoked.without(), expectations()));
    found.addAll(revoked.stillBelieved(locks));
    String title = "%s under faults, seed %d".formatted(fixture.name(), seed);
    TimeLine.of(history).write(directory.resolve(NemesisReport.PAGE), title, found);
    Map<Boolean, List<Violation>> excused =
        found.stream()
            .collect(
                Collectors.partitioningBy(
                    one ->
                        (stall.isPresent() && one.kind().isAboutTime())
                            || (isOwnTaken(one) && revoked.mayBeTakenAgain(lock(one)))));
    return new NemesisReport(
        fixture.name(),
        seed,
        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
        Summary.of(history),
        FaultCounts.of(history),
        excused.getOrDefault(false, List.of()),
        excused.getOrDefault(true, List.of()),
        troubles,
        skipped,
        directory);
  }

  /** Others have TTLs that end before they are missed. */
  private boolean isOwnTaken(Violation violation) {
    return TAKEN.contains(violation.kind())
        && lasting.stream().noneMatch(lock(violation)::contains);
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

  /**
   * A request that does not wait for the lock waits for the backend, which has its own limit for
   * that.
   */
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
    Optional<FakeClock> clock = apart ? FakeClock.create() : Optional.empty();
    if (clock.isEmpty()) {
      skipped.add(
          "steps of wall clocks: "
              + (apart ? "there is no libfaketime here" : "no process has one of its own"));
    }
    skipped.add("steps of the servers' wall clocks: they have the host's");
    for (String clientProcess : PARTIES.subList(0, profile.processes())) {
      WorkerConfig config = config(clientProcess);
      parties.add(
          apart
              ? new ChildClientProcess(fixture, clock, config, log)
              : new LocalClientProcess(fixture, config));
      // One is enough, and the others are as quick as they can be.
      clock = Optional.empty();
    }
  }

  private WorkerConfig config(String clientProcess) {
    return new WorkerConfig(
        clientProcess,
        clientProcess,
        random.nextLong(),
        directory,
        names,
        fixture.timing().ttl(),
        longestLease(),
        profile.rest(),
        isFenced(),
        isQueued(),
        fixture.promises().sharing(),
        rows.url());
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    targets.add(
        Target.server(
            SERVER_CALM,
            ServerFaults.of(fixture, locks, random.nextLong()),
            ServerFaults.revocation(fixture, locks)));
    parties.forEach(clientProcess -> targets.addAll(clientProcess.targets()));
    if (targets.stream().noneMatch(Target::isLink)) {
      skipped.add("faults of links: there are none that can be broken");
    }
    if (fixture.server().isEmpty()) {
      skipped.add("SIGSTOP, kill and restart of servers: there are none that can be touched");
    }
    return targets;
  }

  /** All processes that it will take are ready before the first contends. */
  private void begin(List<ScheduledFault> schedule) {
    schedule.forEach(
        scheduled -> RunDirectory.append(directory.resolve("schedule"), scheduled.toString()));
    for (ClientProcess clientProcess : parties) {
      String process = Target.process(clientProcess.name());
      clientProcess.prepare(
          (int)
              schedule.stream()
                  .filter(scheduled -> scheduled.target().equals(process))
                  .filter(scheduled -> ChildClientProcess.isEnd(scheduled.fault()))
                  .count());
    }
    parties.forEach(ClientProcess::awaitReady);
    parties.forEach(ClientProcess::begin);
  }

  private List<FaultRunner.Struck> scheduled(List<Target> targets, List<ScheduledFault> schedule)
      throws InterruptedException {
    long begun = System.nanoTime();
    AtomicLong numbers = new AtomicLong();
    List<FaultRunner> runners = new ArrayList<>();
    for (Target target : targets) {
      List<ScheduledFault> own =
          schedule.stream().filter(scheduled -> scheduled.target().equals(target.name())).toList();
      runners.add(new FaultRunner(own, begun, log, numbers, stop));
    }
    List<FaultRunner.Struck> struck = new ArrayList<>();
    for (FaultRunner runner : runners) {
      runner.join();
      struck.addAll(runner.struck());
      troubles.addAll(runner.troubles());
    }
    return struck;
  }

  /** Notes the final values of everything that was written. */
  private void count() {
    for (Resource resource : config(NAME).openResources()) {
      try (resource) {
        for (String lock : lasting) {
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
    List<String> names = new ArrayList<>(lasting);
    // Entries of killed processes end with their time.
    parties.forEach(clientProcess -> names.add(this.names.own(clientProcess.process())));
    return fixture.residue().stream()
        .filter(entry -> names.stream().anyMatch(entry::contains))
        .toList();
  }

  @Override
  public void close() {
    stop.countDown();
    parties.forEach(ClientProcess::close);
    rows.close();
    history.close();
  }
}
