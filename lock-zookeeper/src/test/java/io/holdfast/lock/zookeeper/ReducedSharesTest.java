/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ShareAsker.join;
import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writers that become readers, in the place that they have in the queue. */
class ReducedSharesTest extends SharesScene {

  @Test
  void aWriterBecomesAReaderInItsPlace() {
    ShareAsker writer = asker(Share.WRITE);
    long token = writer.granted();
    ShareAsker reader = asker(Share.READ);
    ShareAsker next = asker(Share.WRITE);
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

  /** The node that it had is deleted, as it would be if somebody took it away. */
  @Test
  void aWriterThatWatchesItsNodeBecomesAReaderWithoutALoss() {
    ShareAsker writer = asker(Share.WRITE);
    writer.granted();
    assertEquals(List.of(extended(writer)), renew(writer));
    assertEquals(ReleaseAnswer.FREED, join(writer.claim.reduceTo(1)));
    assertEquals(List.of(extended(writer)), renew(writer));
    assertEquals(0, writer.losses.get());
  }

  @Test
  void aReducedShareThatIsTakenAwayIsALoss() {
    ShareAsker writer = asker(Share.WRITE);
    writer.granted();
    join(writer.claim.reduceTo(1));
    assertEquals(List.of(extended(writer)), renew(writer));
    assertTrue(join(inspection().evict(join(inspection().holder("a")).orElseThrow())));
    Conditions.until("the loss", SOON, () -> writer.losses.get() == 1);
    assertEquals(List.of(new RenewalAnswer.Lost(LossReason.REVOKED)), renew(writer));
    assertEquals(ReleaseAnswer.NOT_OURS, join(writer.claim.reduceTo(1)));
  }

  @Test
  void aReducedShareThatIsTakenAwayIsToldThoughNothingIsRenewed() {
    ShareAsker writer = asker(Share.WRITE);
    writer.granted();
    ShareAsker later = asker("b", Share.LOCK, true);
    later.granted();
    assertTrue(join(inspection().evict(join(inspection().holder("b")).orElseThrow())));
    // Its node is watched after that of the writer.
    Conditions.until("the loss of the later one", SOON, () -> later.losses.get() == 1);
    assertEquals(ReleaseAnswer.FREED, join(writer.claim.reduceTo(1)));
    assertTrue(join(inspection().evict(join(inspection().holder("a")).orElseThrow())));
    Conditions.until("the loss", SOON, () -> writer.losses.get() == 1);
  }
}
