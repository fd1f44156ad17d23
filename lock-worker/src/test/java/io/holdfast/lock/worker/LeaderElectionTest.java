/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static io.holdfast.lock.worker.Patience.get;
import static io.holdfast.lock.worker.Patience.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Candidates on a clock that is driven by hand. */
@Timeout(60)
class LeaderElectionTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration HEAD_START = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient observer = server.open();
  private final List<Candidate> candidates = new ArrayList<>();

  @AfterEach
  void close() {
    candidates.forEach(Candidate::close);
    observer.close();
  }

  private Candidate candidate(String name) {
    Candidate candidate = new Candidate(name);
    candidates.add(candidate);
    return candidate;
  }

  private Optional<LockHolder> leader() {
    return LeaderElection.leader(observer, "boss");
  }

  private void assertLeads(String name, Lease lease) {
    LockHolder leader = leader().orElseThrow();
    assertEquals(Optional.of(name), leader.clientName());
    assertEquals(Optional.of(lease.ownerId()), leader.ownerId());
    assertEquals(OptionalLong.of(lease.fencingToken()), leader.fencingToken());
  }

  @Test
  void oneLeadsAndEverybodyCanSeeWho() throws Exception {
    assertEquals(Optional.empty(), leader());
    Candidate ann = candidate("ann");
    ann.election.start();
    Lease first = next(ann.elected);
    assertTrue(ann.election.isLeader());
    assertLeads("ann", first);
    Candidate bob = candidate("bob");
    bob.election.start();
    ann.election.close();
    assertEquals(StopReason.STOPPED, next(ann.stopped));
    assertFalse(ann.election.isLeader());
    Lease second = next(bob.elected);
    assertTrue(second.fencingToken() > first.fencingToken());
    assertLeads("bob", second);
    assertEquals(leader(), ann.election.leader());
    get(bob.election.stop());
    assertEquals(Optional.empty(), leader());
  }

  @Test
  void aLeaderIsToldToStopWhileNobodyElseCanLead() throws Exception {
    Candidate ann = candidate("ann");
    ann.election.start();
    Lease lease = next(ann.elected);
    server.goAway();
    Duration warning = lease.remaining().minus(HEAD_START);
    ann.time.awaitAlarm(warning);
    time.advance(warning.minusNanos(1));
    assertTrue(ann.election.isLeader());
    assertEquals(List.of(), List.copyOf(ann.stopped));
    time.advance(Duration.ofNanos(1));
    assertEquals(StopReason.ENDING, next(ann.stopped));
    assertEquals(HEAD_START, next(ann.leftAtStop));
    server.comeBack();
    Lease again = advanceUntilNext(ann.elected);
    assertTrue(again.fencingToken() > lease.fencingToken());
  }

  @Test
  void aLeaderThatStoodStillKnowsItAtTheFirstLook() throws Exception {
    Candidate ann = candidate("ann");
    ann.election.start();
    next(ann.elected);
    time.pause(TTL);
    assertFalse(ann.election.isLeader());
    time.advance(Duration.ZERO);
    assertEquals(StopReason.LOST, next(ann.stopped));
    assertEquals(Duration.ZERO, next(ann.leftAtStop));
  }

  @Test
  void aLeaderWhoseLockWasTakenAwayIsTold() throws Exception {
    Candidate ann = candidate("ann");
    ann.election.start();
    next(ann.elected);
    assertTrue(observer.inspector().evict(leader().orElseThrow()));
    Candidate bob = candidate("bob");
    bob.election.start();
    assertLeads("bob", next(bob.elected));
    time.advance(TTL.dividedBy(2));
    assertEquals(StopReason.LOST, next(ann.stopped));
  }

  @Test
  void aLeaderThatResignsStandsAgain() throws Exception {
    Candidate ann = candidate("ann");
    ann.election.start();
    next(ann.elected);
    Candidate bob = candidate("bob");
    bob.election.resign();
    bob.election.start();
    long begin = System.nanoTime();
    while (server.waiters() == 0) {
      assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(Patience.SECONDS));
      Thread.onSpinWait();
    }
    ann.election.resign();
    assertEquals(StopReason.RESIGNED, next(ann.stopped));
    assertLeads("bob", next(bob.elected));
    bob.election.close();
    assertLeads("ann", advanceUntilNext(ann.elected));
  }

  @Test
  void aCandidateElectedAgainLeadsUntilItResignsAgain() throws Exception {
    Candidate ann = candidate("ann");
    ann.election.start();
    Lease first = next(ann.elected);
    ann.time.awaitAlarm(first.remaining().minus(HEAD_START));
    ann.election.resign();
    assertEquals(StopReason.RESIGNED, next(ann.stopped));
    ann.time.awaitAlarm(PAUSE);
    time.advance(PAUSE);
    Lease second = next(ann.elected);
    // It waits for the end of its lease, and not for that of a pause.
    ann.time.awaitAlarm(second.remaining().minus(HEAD_START));
    assertTrue(ann.election.isLeader());
    assertLeads("ann", second);
    assertEquals(List.of(), List.copyOf(ann.stopped));
    ann.election.resign();
    assertEquals(StopReason.RESIGNED, next(ann.stopped));
  }

  @Test
  void aClosedCandidateMayStandAgainAndNotTwice() throws Exception {
    Candidate ann = candidate("ann");
    ann.election.start();
    assertThrows(IllegalStateException.class, ann.election::start);
    next(ann.elected);
    ann.election.close();
    ann.election.start();
    assertTrue(next(ann.elected).isValid());
  }

  /** For what begins with a wait of another thread, which need not have begun yet. */
  private <T> T advanceUntilNext(BlockingQueue<T> queue) throws InterruptedException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(Patience.SECONDS)) {
      time.advance(Duration.ofMillis(100));
      T next = queue.poll(10, TimeUnit.MILLISECONDS);
      if (next != null) {
        return next;
      }
    }
    throw new AssertionError("nothing came");
  }

  /** A process with a client of its own, and what its work was told. */
  private final class Candidate implements Work {

    final BlockingQueue<Lease> elected = new LinkedBlockingQueue<>();
    final BlockingQueue<StopReason> stopped = new LinkedBlockingQueue<>();
    final BlockingQueue<Duration> leftAtStop = new LinkedBlockingQueue<>();
    final Alarms time = new Alarms(LeaderElectionTest.this.time);
    final LeaderElection election;
    private final LockClient client;
    private Optional<Lease> current = Optional.empty();

    Candidate(String name) {
      client = server.open(ClientOptions.defaults().withClientName(name));
      election =
          new LeaderElection(
              client,
              "boss",
              this,
              WorkerOptions.defaults()
                  .withName(name)
                  .withOptions(LockOptions.defaults().withTtl(TTL))
                  .withHeadStart(HEAD_START)
                  .withPause(PAUSE)
                  .withTime(time));
    }

    @Override
    public void start(Lease lease) {
      current = Optional.of(lease);
      elected.add(lease);
    }

    @Override
    public void stop(StopReason reason) {
      leftAtStop.add(current.orElseThrow().remaining());
      stopped.add(reason);
    }

    void close() {
      election.close();
      client.close();
      assertFalse(time.isClosed(), "the clock is not the worker's");
      assertEquals(0, time.open(), "alarms that nobody waits for");
    }
  }
}
