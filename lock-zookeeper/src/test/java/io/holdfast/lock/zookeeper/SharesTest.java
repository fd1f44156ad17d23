/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.zookeeper.lock.ZooKeeperClaim;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.queue.QueueNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names that several owners share, as the backend keeps them in a queue. */
class SharesTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

  private final ZooKeeperHarness harness = new ZooKeeperHarness();
  private final AtomicInteger owners = new AtomicInteger();
  private final ZooKeeperBackend backend = open();
  private final ZooKeeper administrator = harness.administrator();

  private ZooKeeperBackend open() {
    return (ZooKeeperBackend)
        new ZooKeeperLockProvider()
            .open(new Settings("zookeeper", harness.settings(Map.of("session-timeout", "20s"))));
  }

  @AfterEach
  void end() {
    backend.close();
    harness.close();
  }

  /** One contender, and how often it was told something. */
  private final class Contender implements ClaimSignals {

    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private final ZooKeeperClaim claim;

    Contender(Share share) {
      this(share, true);
    }

    Contender(Share share, boolean waits) {
      this.claim =
          backend.claim(
              new ClaimRequest("a", "owner-" + owners.incrementAndGet(), TTL, share, waits), this);
    }

    @Override
    public void wake() {
      wakes.incrementAndGet();
    }

    @Override
    public void lost(LossReason reason) {
      losses.incrementAndGet();
    }

    long granted() {
      return assertInstanceOf(Attempt.Granted.class, join(claim.attempt())).token();
    }

    void contended() {
      assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
    }

    void freed() {
      assertEquals(ReleaseAnswer.FREED, join(claim.release()));
    }

    void woken(int times) {
      Conditions.until("woken", SOON, () -> wakes.get() >= times);
      assertEquals(times, wakes.get());
    }
  }

  @Test
  void readersShareAndAWriterThatWaitsIsServedThoughReadersKeepComing() {
    Contender first = new Contender(Share.READ);
    Contender second = new Contender(Share.READ);
    long token = first.granted();
    assertTrue(second.granted() > token);
    Contender writer = new Contender(Share.WRITE);
    Contender late = new Contender(Share.READ);
    Contender later = new Contender(Share.READ);
    writer.contended();
    late.contended();
    later.contended();
    first.freed();
    second.freed();
    writer.woken(1);
    assertEquals(0, late.wakes.get());
    late.contended();
    long written = writer.granted();
    writer.freed();
    late.woken(1);
    later.woken(1);
    assertTrue(late.granted() > written);
    later.granted();
    late.freed();
    later.freed();
  }

  @Test
  void aWriterBecomesAReaderInItsPlace() {
    Contender writer = new Contender(Share.WRITE);
    long token = writer.granted();
    Contender reader = new Contender(Share.READ);
    Contender next = new Contender(Share.WRITE);
    reader.contended();
    next.contended();
    assertEquals(ReleaseAnswer.FREED, join(writer.claim.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, join(writer.claim.reduceTo(1)));
    reader.woken(1);
    reader.granted();
    next.contended();
    assertEquals(List.of(extended(writer), extended(reader)), renew(writer, reader));
    List<LockHolder> holders = join(inspection().holders("a"));
    assertEquals(List.of(Share.READ, Share.READ), holders.stream().map(LockHolder::share).toList());
    assertEquals(token, holders.get(0).fencingToken().getAsLong());
    assertEquals(0, writer.losses.get());
    writer.freed();
    reader.freed();
    assertTrue(next.granted() > token);
  }

  @Test
  void aReducedShareThatIsTakenAwayIsALoss() {
    Contender writer = new Contender(Share.WRITE);
    writer.granted();
    join(writer.claim.reduceTo(1));
    assertEquals(List.of(extended(writer)), renew(writer));
    assertTrue(join(inspection().evict(join(inspection().holder("a")).orElseThrow())));
    Conditions.until("the loss", SOON, () -> writer.losses.get() == 1);
    assertEquals(List.of(new RenewalAnswer.Lost(LossReason.REVOKED)), renew(writer));
    assertEquals(ReleaseAnswer.NOT_OURS, join(writer.claim.reduceTo(1)));
  }

  @Test
  void permitsAreGrantedInTheOrderOfTheQueue() {
    Contender two = new Contender(Share.of(2, 5));
    Contender alsoTwo = new Contender(Share.of(2, 5));
    Contender three = new Contender(Share.of(3, 5));
    Contender one = new Contender(Share.of(1, 5));
    two.granted();
    alsoTwo.granted();
    three.contended();
    one.contended();
    two.freed();
    three.woken(1);
    three.granted();
    one.contended();
    alsoTwo.freed();
    one.woken(1);
    one.granted();
    three.freed();
    one.freed();
  }

  @Test
  void aCapacityBelongsToTheName() {
    Contender reader = new Contender(Share.READ);
    reader.granted();
    assertRefused(new Contender(Share.LOCK), 1, Share.READ_WRITE_CAPACITY);
    assertRefused(new Contender(Share.of(1, 5)), 5, Share.READ_WRITE_CAPACITY);
    reader.freed();
    Contender lock = new Contender(Share.LOCK);
    lock.granted();
    assertRefused(new Contender(Share.WRITE), Share.READ_WRITE_CAPACITY, 1);
    lock.freed();
    Contender again = new Contender(Share.LOCK);
    again.granted();
    again.freed();
    Contender writer = new Contender(Share.WRITE);
    writer.granted();
    writer.freed();
  }

  /** A lock that does not know yet whether it is refused may be the first when it looks. */
  @Test
  void aReaderIsNotGrantedPastALockThatWasNotRefusedYet() throws Exception {
    Contender first = new Contender(Share.READ);
    first.granted();
    String lock = node("unanswered", Share.LOCK);
    Contender reader = new Contender(Share.READ);
    reader.contended();
    assertEquals(1, join(inspection().holders("a")).size());
    first.freed();
    reader.contended();
    assertEquals(Share.LOCK, join(inspection().holder("a")).orElseThrow().share());
    administrator.delete(lock, -1);
    reader.woken(1);
    reader.granted();
    reader.freed();
  }

  @Test
  void whoDoesNotWaitTakesNoPlace() throws Exception {
    for (Share share : List.of(Share.LOCK, Share.WRITE, Share.of(2, 2))) {
      Contender holder = new Contender(share);
      long first = holder.granted();
      Contender tries = new Contender(share, false);
      tries.contended();
      assertEquals(1, nodes());
      holder.freed();
      // Its release has not been asked for, and is in nobody's way.
      Contender next = new Contender(share, false);
      assertTrue(next.granted() > first);
      assertEquals(ReleaseAnswer.NOT_OURS, join(tries.claim.release()));
      next.freed();
      assertEquals(0, nodes());
    }
  }

  @Test
  void whoDoesNotWaitIsGrantedWhatFitsAndOvertakesNobody() throws Exception {
    Contender first = new Contender(Share.READ, false);
    Contender second = new Contender(Share.READ, false);
    first.granted();
    second.granted();
    new Contender(Share.WRITE, false).contended();
    Contender third = new Contender(Share.READ, false);
    third.granted();
    Contender writer = new Contender(Share.WRITE);
    writer.contended();
    new Contender(Share.READ, false).contended();
    assertRefused(new Contender(Share.LOCK, false), 1, Share.READ_WRITE_CAPACITY);
    assertEquals(4, nodes());
    first.freed();
    second.freed();
    third.freed();
    writer.granted();
    writer.freed();
  }

  @Test
  void whoIsRefusedAnotherCapacityHasNoNode() throws Exception {
    Contender reader = new Contender(Share.READ);
    reader.granted();
    for (boolean waits : List.of(true, false)) {
      CompletionStage<Attempt> refused = new Contender(Share.LOCK, waits).claim.attempt();
      assertThrows(CompletionException.class, () -> join(refused));
      assertEquals(1, nodes());
    }
    reader.freed();
  }

  private int nodes() throws Exception {
    return ZooKeeperHarness.contenders(administrator, "/holdfast").size();
  }

  @Test
  void aLockThatWaitsIsNotRefusedForAReaderThatWas() throws Exception {
    Contender first = new Contender(Share.LOCK);
    first.granted();
    String reader = node("refused", Share.READ);
    Contender second = new Contender(Share.LOCK);
    second.contended();
    first.freed();
    second.contended();
    administrator.delete(reader, -1);
    second.woken(1);
    second.granted();
    second.freed();
  }

  @Test
  void aPlaceThatWasTakenAwayIsAskedForAnew() throws Exception {
    Contender first = new Contender(Share.LOCK);
    first.granted();
    Contender second = new Contender(Share.LOCK);
    second.contended();
    for (String path : ZooKeeperHarness.contenders(administrator, "/holdfast")) {
      administrator.delete(path, -1);
    }
    Contender reader = new Contender(Share.READ);
    reader.granted();
    assertRefused(second, 1, Share.READ_WRITE_CAPACITY);
    reader.freed();
  }

  /** A contender whose client is silent. */
  private String node(String owner, Share share) throws Exception {
    return administrator.create(
        new LockPaths("/holdfast", "lock").lock("a")
            + "/"
            + LockPaths.prefix(owner)
            + QueueNode.text(share),
        new byte[0],
        ZooDefs.Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL_SEQUENTIAL);
  }

  @Test
  void aHolderIsEvictedAndTheOthersStay() {
    Contender first = new Contender(Share.READ);
    Contender second = new Contender(Share.READ);
    first.granted();
    second.granted();
    LockHolder told = join(inspection().holder("a")).orElseThrow();
    assertTrue(join(inspection().evict(told)));
    assertFalse(join(inspection().evict(told)));
    assertEquals(1, join(inspection().holders("a")).size());
    Conditions.until(
        "the loss",
        SOON,
        () -> renew(first).get(0).equals(new RenewalAnswer.Lost(LossReason.REVOKED)));
    assertEquals(List.of(extended(second)), renew(second));
  }

  private void assertRefused(Contender contender, int asked, int inUse) {
    CompletionException told =
        assertThrows(CompletionException.class, () -> join(contender.claim.attempt()));
    LockCapacityException why = assertInstanceOf(LockCapacityException.class, told.getCause());
    assertEquals(asked, why.askedFor());
    assertEquals(inUse, why.inUse());
    assertEquals(ReleaseAnswer.NOT_OURS, join(contender.claim.release()));
  }

  private LockInspection inspection() {
    return backend.inspection().orElseThrow();
  }

  private RenewalAnswer extended(Contender contender) {
    assertFalse(contender.claim.hasLostSession());
    return new RenewalAnswer.Extended(SESSION_TIMEOUT.multipliedBy(2).dividedBy(3));
  }

  private List<RenewalAnswer> renew(Contender... contenders) {
    return join(
        backend.renew(
            List.of(contenders).stream()
                .map(one -> new RenewalRequest<>(one.claim, TTL, Duration.ofSeconds(10)))
                .toList()));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
