/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.junit.jupiter.api.Test;

/** Tests when claims are served, and the remains of those that leave. */
class QueueTest extends OneServerTestBase {

  /** Polls so seldom that only wake-ups can explain a fast hand-over. */
  private static final LockOptions SELDOM =
      LockOptions.defaults()
          .withRetry(
              Retry.defaults()
                  .withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1))
                  .withJitter(0));

  private List<String> contenders() {
    return ZooKeeperHarness.contenders(administrator, "/holdfast");
  }

  private CompletableFuture<Lease> join(DistributedLock lock) {
    int before = contenders().size();
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    Conditions.until("in the queue", SOON, () -> contenders().size() == before + 1);
    return waiting;
  }

  @Test
  void clientsAreServedInTheOrderInWhichTheyJoined() throws Exception {
    Lease first = harness.client().lock("fifo", SELDOM).acquire();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    List<Integer> served = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      CompletableFuture<Lease> next = join(harness.client().lock("fifo", SELDOM));
      waiting.add(
          next.thenApply(
              lease -> {
                served.add(number);
                return lease;
              }));
    }
    first.close();
    long token = first.fencingToken();
    for (CompletableFuture<Lease> next : waiting) {
      Lease lease = ZooKeeperHarness.get(next);
      assertTrue(lease.fencingToken() > token);
      token = lease.fencingToken();
      lease.close();
    }
    assertEquals(List.of(0, 1, 2, 3, 4), served);
    assertEquals(List.of(), contenders());
  }

  @Test
  void oneReleaseMakesOneWaiterAsk() throws Exception {
    Lease held = harness.client().lock("herd", SELDOM).acquire();
    AtomicInteger attempts = new AtomicInteger();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      LockClient client = harness.client();
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Attempted) {
              attempts.incrementAndGet();
            }
          });
      waiting.add(join(client.lock("herd", SELDOM)));
    }
    Conditions.until("all have asked once", SOON, () -> attempts.get() == 6);
    for (int i = 0; i < waiting.size(); i++) {
      held.close();
      held = ZooKeeperHarness.get(waiting.get(i));
    }
    held.close();
    Conditions.until("the events", SOON, () -> attempts.get() >= 12);
    assertEquals(12, attempts.get());
  }

  @Test
  void whenAWaiterLeavesNobodyIsGrantedTooEarly() throws Exception {
    Lease held = harness.client().lock("middle", SELDOM).acquire();
    CompletableFuture<Lease> middle = join(harness.client().lock("middle", SELDOM));
    CompletableFuture<Lease> last = join(harness.client().lock("middle", SELDOM));
    middle.cancel(true);
    Conditions.until("the waiter has left", SOON, () -> contenders().size() == 2);
    Conditions.stays(
        "the holder keeps the last one out", Duration.ofMillis(300), () -> !last.isDone());
    assertTrue(held.isValid());
    held.close();
    ZooKeeperHarness.get(last).close();
    assertEquals(List.of(), contenders());
  }

  @Test
  void givingUpLeavesNothing() throws Exception {
    Lease held = harness.client().lock("leave").acquire();
    DistributedLock other = harness.client().lock("leave");
    assertTrue(other.tryAcquire().isEmpty());
    assertTrue(other.tryAcquire(Duration.ofSeconds(1)).isEmpty());
    for (int i = 0; i < 50; i++) {
      CompletableFuture<Lease> waiting = other.acquireAsync();
      if (i % 2 == 0) {
        waiting.cancel(true);
      } else {
        assertFalse(waiting.isDone());
        waiting.completeExceptionally(new IllegalStateException("not wanted any more"));
      }
    }
    Conditions.until("only the holder is left", SOON, () -> contenders().size() == 1);
    held.close();
    Conditions.until("nobody is left", SOON, () -> contenders().isEmpty());
    other.acquire(SOON).close();
    // Some who gave up may have asked for their place only now.
    Conditions.until("nobody is left", SOON, () -> contenders().isEmpty());
  }

  @Test
  void theWatchesOfThoseWhoGaveUpAreGone() throws Exception {
    Lease held = harness.client().lock("watches", SELDOM).acquire();
    LockClient other = harness.client();
    for (int i = 0; i < 30; i++) {
      assertTrue(other.lock("watches", SELDOM).tryAcquire(Duration.ofMillis(50)).isEmpty());
    }
    Conditions.until("only the holder is left", SOON, () -> contenders().size() == 1);
    Conditions.until("no more than two watches", SOON, () -> watches() <= 2);
    held.close();
  }

  private static long watches() {
    return harness.server.command("wchp").lines().filter(line -> line.startsWith("\t0x")).count();
  }

  @Test
  void aHoldersNodeThatIsDeletedIsALossAtOnceAndAWaiterIsServed() throws Exception {
    Lease held = harness.client().lock("revoke", SELDOM).acquire();
    CompletableFuture<Lease> next = join(harness.client().lock("revoke", SELDOM));
    String first = contenders().stream().sorted(QueueTest::bySequence).findFirst().orElseThrow();
    administrator.delete(first, -1);
    assertEquals(LossReason.REVOKED, ZooKeeperHarness.get(held.loss()).reason());
    assertFalse(held.isValid());
    ZooKeeperHarness.get(next).close();
  }

  /** The server tells of one change for each watch. */
  @Test
  void aWaiterWatchesANodeAgainThatHasChanged() throws Exception {
    Lease held = harness.client().lock("changed", SELDOM).acquire();
    LockClient other = harness.client();
    AtomicInteger refused = new AtomicInteger();
    other.addListener(
        event -> {
          if (event instanceof LockEvent.Contended) {
            refused.incrementAndGet();
          }
        });
    CompletableFuture<Lease> next = join(other.lock("changed", SELDOM));
    Conditions.until("refused", SOON, () -> refused.get() == 1);
    String first = contenders().stream().sorted(QueueTest::bySequence).findFirst().orElseThrow();
    administrator.setData(first, new byte[0], -1);
    Conditions.until("refused again", SOON, () -> refused.get() == 2);
    held.close();
    ZooKeeperHarness.get(next).close();
  }

  @Test
  void aWaitersNodeThatIsDeletedIsMadeAgain() throws Exception {
    Lease held = harness.client().lock("again").acquire();
    CompletableFuture<Lease> next = join(harness.client().lock("again"));
    String last =
        contenders().stream().sorted(QueueTest::bySequence).reduce((a, b) -> b).orElseThrow();
    administrator.delete(last, -1);
    Conditions.until(
        "back in the queue", SOON, () -> contenders().size() == 2 && !contenders().contains(last));
    held.close();
    ZooKeeperHarness.get(next).close();
  }

  @Test
  void theWholeTreeMayBeDeletedUnderUs() throws Exception {
    LockClient holder = harness.client();
    Lease held = holder.lock("tree").acquire();
    CompletableFuture<Lease> next = join(harness.client().lock("tree"));
    deleteTree();
    assertEquals(LossReason.REVOKED, ZooKeeperHarness.get(held.loss()).reason());
    ZooKeeperHarness.get(next).close();
    holder.lock("tree").acquire(SOON).close();
    assertEquals(List.of(), contenders());
  }

  @Test
  void emptyParentsAreRemovedByTheServer() throws Exception {
    LockClient client = harness.client();
    for (int i = 0; i < 20; i++) {
      client.lock("name-" + i).acquire().close();
    }
    Conditions.until(
        "nothing at all is left",
        Duration.ofSeconds(20),
        () -> ZooKeeperHarness.walk(administrator, "/holdfast", path -> true).isEmpty());
    client.lock("name-1").acquire(SOON).close();
  }

  private void deleteTree() throws Exception {
    while (administrator.exists("/holdfast", false) != null) {
      try {
        ZKUtil.deleteRecursive(administrator, "/holdfast");
      } catch (KeeperException e) {
        // A waiter came between.
        continue;
      }
      return;
    }
  }

  private static int bySequence(String a, String b) {
    return a.substring(a.length() - 10).compareTo(b.substring(b.length() - 10));
  }
}
