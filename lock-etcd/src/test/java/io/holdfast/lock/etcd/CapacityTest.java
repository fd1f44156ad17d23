/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.PATIENT;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static io.holdfast.lock.etcd.ShareAsker.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests requests for a name with another capacity, and changes of its capacity. */
class CapacityTest {

  private static ShareHarness scene;

  @BeforeAll
  static void start() {
    scene = new ShareHarness();
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  @BeforeEach
  void takeAnotherName() {
    scene.takeAnotherName();
  }

  @Test
  void aClaimThatDoesNotWaitIsRefusedAnotherCapacity() throws Exception {
    ShareAsker five = scene.asker(Share.of(1, 5));
    five.granted();
    for (Share other : List.of(Share.LOCK, Share.of(1, 50), Share.READ, Share.WRITE)) {
      ShareAsker tries = scene.trying(other);
      assertEquals(5, tries.refused().inUse());
      assertEquals(ReleaseAnswer.NOT_OURS, answer(tries.claim.release()));
    }
    assertEquals(1, scene.keys());
    five.release();
  }

  @Test
  void anotherCapacityIsRefusedWithBothNumbers() throws Exception {
    ShareAsker five = scene.asker(Share.of(1, 5));
    five.granted();
    for (Share other : List.of(Share.LOCK, Share.of(1, 50), Share.of(4, 4), Share.READ)) {
      LockCapacityException refused = scene.asker(other).refused();
      assertEquals(5, refused.inUse());
      assertEquals(other.capacity(), refused.askedFor());
    }
    five.release();
    ShareAsker lock = scene.asker(Share.LOCK);
    lock.granted();
    assertEquals(1, scene.asker(Share.WRITE).refused().inUse());
    lock.release();
    assertEquals(List.of(), scene.holders());
    until(
        "no key",
        () -> scene.harness.administrator.keys("/holdfast/lock/" + scene.name + "/").isEmpty());
  }

  @Test
  void aCapacityIsChangedDeliberately() throws Exception {
    ShareAsker first = scene.asker(Share.of(2, 2));
    first.granted();
    ShareAsker waiting = scene.asker(Share.of(1, 2)).waits();
    assertFalse(answer(scene.inspection().changeCapacity(scene.name, 3, 4)));
    assertTrue(answer(scene.inspection().changeCapacity(scene.name, 2, 4)));
    until("the waiter is woken", () -> waiting.woken.get() > 0);
    assertEquals(4, waiting.refused().inUse());
    assertEquals(ReleaseAnswer.NOT_OURS, answer(waiting.claim.release()));
    assertInstanceOf(RenewalAnswer.Extended.class, scene.renewed(first, ShareHarness.TTL));
    ShareAsker second = scene.asker(Share.of(2, 4));
    second.granted();
    assertTrue(answer(scene.inspection().changeCapacity(scene.name, 4, 3)));
    scene.asker(Share.of(1, 3)).waits().claim.release();
    first.release();
    second.release();
  }

  @Test
  void allWhoHoldMoreThanTheNewCapacityAreToldAndCanBeEvicted() throws Exception {
    List<ShareAsker> holding =
        IntStream.range(0, 5).mapToObj(i -> scene.asker(Share.of(1, 5))).toList();
    for (ShareAsker one : holding) {
      one.granted();
    }
    ShareAsker waiting = scene.asker(Share.of(1, 5)).waits();
    assertTrue(answer(scene.inspection().changeCapacity(scene.name, 5, 2)));
    waiting.refused();
    assertEquals(ReleaseAnswer.NOT_OURS, answer(waiting.claim.release()));
    ShareAsker next = scene.asker(Share.of(1, 2)).waits();
    List<String> owners = holding.stream().map(one -> one.owner + " 1 of 2").toList();
    assertEquals(owners, scene.holders());
    assertTrue(answer(scene.inspection().changeCapacity(scene.name, 2, 3)));
    next.refused();
    assertEquals(ReleaseAnswer.NOT_OURS, answer(next.claim.release()));
    assertEquals(5, scene.holders().size());
    LockHolder last = answer(scene.inspection().holders(scene.name)).get(4);
    assertTrue(answer(scene.inspection().evict(last)));
    assertInstanceOf(RenewalAnswer.Lost.class, scene.renewed(holding.get(4), ShareHarness.TTL));
    for (ShareAsker one : holding.subList(0, 4)) {
      assertInstanceOf(RenewalAnswer.Extended.class, scene.renewed(one, ShareHarness.TTL));
      one.release();
    }
    assertEquals(List.of(), scene.holders());
  }

  /** The queue is read, and changed only if it is still as it was read. */
  @Test
  void aChangeOfTheCapacityThatMeetsANewContenderIsTriedAgain() throws Exception {
    ShareAsker first = scene.asker(Share.of(1, 5));
    first.granted();
    ShareAsker second = scene.asker(Share.of(1, 5));
    BeforeCall overtaking = BeforeCall.transaction();
    overtaking.take(
        () -> assertInstanceOf(Attempt.Granted.class, ClaimHarness.join(second.claim.attempt())));
    Channel channel = ClientInterceptors.intercept(scene.harness.administrator.channel, overtaking);
    try (LockClient client = EtcdLocks.using(channel, PATIENT, ClientOptions.defaults())) {
      assertTrue(client.inspector().changeCapacity(scene.name, 5, 6));
    }
    assertTrue(overtaking.isTaken());
    assertEquals(List.of(first.owner + " 1 of 6", second.owner + " 1 of 6"), scene.holders());
    first.release();
    second.release();
  }

  @Test
  void aChangeOfTheCapacityLeavesKeysOfOthersAlone() throws Exception {
    ShareAsker holder = scene.asker(Share.of(1, 5));
    holder.granted();
    for (String value : List.of("hello", "§5/1 hello")) {
      String key = "/holdfast/lock/" + scene.name + "/note";
      scene.harness.administrator.put(key, value);
      ExecutionException failure =
          assertThrows(
              ExecutionException.class,
              () -> answer(scene.inspection().changeCapacity(scene.name, 5, 2)));
      LockRejectedException refused =
          assertInstanceOf(LockRejectedException.class, failure.getCause());
      String said = String.valueOf(refused.getMessage());
      assertTrue(said.contains("other than a lock at the key '" + key + "'"), said);
      assertEquals(List.of(value), valuesWithoutLease());
      assertEquals(List.of(holder.owner + " 1 of 5"), scene.holders());
      assertTrue(scene.harness.administrator.delete(ByteString.copyFromUtf8(key)));
    }
    assertTrue(answer(scene.inspection().changeCapacity(scene.name, 5, 2)));
    holder.release();
  }

  private List<String> valuesWithoutLease() {
    return scene.harness.administrator.entries("/holdfast/lock/" + scene.name + "/").stream()
        .filter(entry -> entry.getLease() == 0)
        .map(entry -> entry.getValue().toStringUtf8())
        .toList();
  }
}
