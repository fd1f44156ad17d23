/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.until;
import static io.holdfast.lock.etcd.ShareAsker.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits for whom in a queue of shares, and who is woken. */
class SharesTest {

  private static final Duration TTL = Duration.ofMinutes(1);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static EtcdHarness scene;
  private static EtcdBackend backend;

  private String name = "";

  @BeforeAll
  static void start() {
    scene = new EtcdHarness();
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                scene.server.host(), scene.server.port(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    backend =
        scene.closing(
            new EtcdBackend(
                new LockKeys("/holdfast", "lock"),
                new EtcdConnection(
                    List.of(Member.own(channel, true, TimeSource.host())),
                    Optional.empty(),
                    Duration.ofSeconds(10)),
                TimeSource.host()));
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  @BeforeEach
  void takeAnotherName() {
    name = "shared" + NUMBER.incrementAndGet();
  }

  private ShareAsker asker(Share share) {
    return new ShareAsker(backend, new ClaimRequest(name, owner(), TTL, share));
  }

  /** One that does not wait. */
  private ShareAsker trying(Share share) {
    return new ShareAsker(backend, new ClaimRequest(name, owner(), TTL, share, false));
  }

  private int keys() {
    return scene.administrator.keys("/holdfast/lock/" + name + "/").size();
  }

  private static String owner() {
    return "owner-" + NUMBER.incrementAndGet();
  }

  private static LockInspection inspection() {
    return backend.inspection().orElseThrow();
  }

  private List<String> holders() throws Exception {
    return answer(inspection().holders(name)).stream()
        .map(holder -> holder.ownerId().orElseThrow() + " " + holder.share())
        .toList();
  }

  @Test
  void readersShareAndAWriterHasItsTurn() throws Exception {
    ShareAsker first = asker(Share.READ);
    ShareAsker second = asker(Share.READ);
    long one = first.granted();
    long two = second.granted();
    ShareAsker writer = asker(Share.WRITE).waits();
    ShareAsker late = asker(Share.READ).waits();
    assertEquals(List.of(first.owner + " read", second.owner + " read"), holders());
    second.release();
    until("the writer looks", () -> writer.woken.get() > 0);
    writer.waits();
    first.release();
    until("the writer looks again", () -> writer.woken.get() > 1);
    long three = writer.granted();
    assertTrue(three > two && two > one, one + ", " + two + ", " + three);
    late.isLeftAlone();
    writer.release();
    assertTrue(late.wokenAndGranted() > three);
    late.release();
  }

  @Test
  void whoDoesNotWaitTakesNoPlace() throws Exception {
    for (Share share : List.of(Share.LOCK, Share.WRITE, Share.of(2, 2))) {
      ShareAsker holder = asker(share);
      long first = holder.granted();
      ShareAsker tries = trying(share).waits();
      assertEquals(1, keys());
      holder.release();
      // Its release has not been asked for, and is in nobody's way.
      ShareAsker next = asker(share);
      long second = next.granted();
      assertTrue(second > first, first + ", " + second);
      assertEquals(ReleaseAnswer.NOT_OURS, answer(tries.claim.release()));
      next.release();
      tries.isLeftAlone();
      ShareAsker free = trying(share);
      assertTrue(free.granted() > second);
      assertEquals(1, keys());
      free.release();
    }
  }

  @Test
  void aWriterThatDoesNotWaitKeepsNoReaderOut() throws Exception {
    ShareAsker reader = asker(Share.READ);
    reader.granted();
    trying(Share.WRITE).waits();
    ShareAsker next = asker(Share.READ);
    next.granted();
    assertEquals(2, keys());
    next.release();
    reader.release();
  }

  @Test
  void whoDoesNotWaitIsGrantedWhatFitsBesideOthers() throws Exception {
    ShareAsker writer = asker(Share.WRITE);
    writer.granted();
    trying(Share.READ).waits();
    assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
    ShareAsker reader = trying(Share.READ);
    reader.granted();
    ShareAsker another = trying(Share.READ);
    another.granted();
    ShareAsker waiting = asker(Share.WRITE).waits();
    trying(Share.READ).waits();
    writer.release();
    reader.release();
    another.release();
    waiting.wokenAndGranted();
    waiting.release();
  }

  @Test
  void asManyAreGrantedAsFitThoughAllTryAtOnce() throws Exception {
    List<ShareAsker> all = IntStream.range(0, 12).mapToObj(i -> trying(Share.of(1, 3))).toList();
    List<CompletionStage<Attempt>> attempts = all.stream().map(one -> one.claim.attempt()).toList();
    int granted = 0;
    for (CompletionStage<Attempt> attempt : attempts) {
      granted += answer(attempt) instanceof Attempt.Granted ? 1 : 0;
    }
    assertEquals(3, granted);
    assertEquals(3, keys());
    for (ShareAsker one : all) {
      answer(one.claim.release());
    }
    assertEquals(0, keys());
  }

  @Test
  void whoDoesNotWaitIsRefusedAnotherCapacity() throws Exception {
    ShareAsker five = asker(Share.of(1, 5));
    five.granted();
    for (Share other : List.of(Share.LOCK, Share.of(1, 50), Share.READ, Share.WRITE)) {
      ShareAsker tries = trying(other);
      assertEquals(5, tries.refused().inUse());
      assertEquals(ReleaseAnswer.NOT_OURS, answer(tries.claim.release()));
    }
    assertEquals(1, keys());
    five.release();
  }

  @Test
  void aReaderIsWokenByTheWriterAheadOnly() throws Exception {
    ShareAsker before = asker(Share.READ);
    before.granted();
    ShareAsker writer = asker(Share.WRITE).waits();
    ShareAsker gone = asker(Share.READ).waits();
    ShareAsker reader = asker(Share.READ).waits();
    assertEquals(ReleaseAnswer.NOT_OURS, answer(gone.claim.release()));
    before.release();
    writer.wokenAndGranted();
    reader.isLeftAlone();
    writer.release();
    reader.wokenAndGranted();
    reader.release();
  }

  @Test
  void aBigRequestIsNotOvertaken() throws Exception {
    ShareAsker three = asker(Share.of(3, 5));
    three.granted();
    ShareAsker big = asker(Share.of(3, 5)).waits();
    ShareAsker small = asker(Share.of(1, 5)).waits();
    ShareAsker bigToo = asker(Share.of(3, 5)).waits();
    three.release();
    big.wokenAndGranted();
    small.wokenAndGranted();
    bigToo.isLeftAlone();
    assertEquals(List.of(big.owner + " 3 of 5", small.owner + " 1 of 5"), holders());
    small.release();
    bigToo.isLeftAlone();
    big.release();
    bigToo.wokenAndGranted();
    bigToo.release();
  }

  @Test
  void oneReleaseWakesOneOfManyThatWaitForAPermit() throws Exception {
    ShareAsker holder = asker(Share.of(2, 2));
    holder.granted();
    List<ShareAsker> waiting =
        List.of(
            asker(Share.of(2, 2)).waits(),
            asker(Share.of(1, 2)).waits(),
            asker(Share.of(1, 2)).waits());
    holder.release();
    waiting.get(0).wokenAndGranted();
    waiting.get(1).isLeftAlone();
    waiting.get(2).isLeftAlone();
    assertEquals(ReleaseAnswer.FREED, answer(waiting.get(0).claim.reduceTo(1)));
    waiting.get(1).wokenAndGranted();
    waiting.get(2).isLeftAlone();
    waiting.get(1).release();
    waiting.get(2).wokenAndGranted();
    waiting.get(2).release();
    waiting.get(0).release();
  }

  @Test
  void anotherCapacityIsRefusedWithBothNumbers() throws Exception {
    ShareAsker five = asker(Share.of(1, 5));
    five.granted();
    for (Share other : List.of(Share.LOCK, Share.of(1, 50), Share.of(4, 4), Share.READ)) {
      LockCapacityException refused = asker(other).refused();
      assertEquals(5, refused.inUse());
      assertEquals(other.capacity(), refused.askedFor());
    }
    five.release();
    ShareAsker lock = asker(Share.LOCK);
    lock.granted();
    assertEquals(1, asker(Share.WRITE).refused().inUse());
    lock.release();
    assertEquals(List.of(), holders());
    until("no key", () -> scene.administrator.keys("/holdfast/lock/" + name + "/").isEmpty());
  }

  @Test
  void aWriterBecomesAReaderWithoutAnotherWriterInBetween() throws Exception {
    ShareAsker writer = asker(Share.WRITE);
    writer.granted();
    ShareAsker reader = asker(Share.READ).waits();
    ShareAsker other = asker(Share.WRITE).waits();
    assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
    reader.wokenAndGranted();
    other.waits();
    assertEquals(List.of(writer.owner + " read", reader.owner + " read"), holders());
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(writer, TTL));
    // To a longer lease: what it has is still one permit.
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(writer, TTL.multipliedBy(3)));
    assertEquals(List.of(writer.owner + " read", reader.owner + " read"), holders());
    writer.release();
    reader.release();
    other.wokenAndGranted();
    other.release();
  }

  private static RenewalAnswer renewed(ShareAsker asker, Duration ttl) throws Exception {
    return answer(backend.renew(List.of(new RenewalRequest<>(asker.claim, ttl, TTL)))).get(0);
  }

  @Test
  void aCapacityIsChangedDeliberately() throws Exception {
    ShareAsker first = asker(Share.of(2, 2));
    first.granted();
    ShareAsker waiting = asker(Share.of(1, 2)).waits();
    assertFalse(answer(inspection().changeCapacity(name, 3, 4)));
    assertTrue(answer(inspection().changeCapacity(name, 2, 4)));
    until("the waiter is woken", () -> waiting.woken.get() > 0);
    assertEquals(4, waiting.refused().inUse());
    assertEquals(ReleaseAnswer.NOT_OURS, answer(waiting.claim.release()));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(first, TTL));
    ShareAsker second = asker(Share.of(2, 4));
    second.granted();
    assertTrue(answer(inspection().changeCapacity(name, 4, 3)));
    asker(Share.of(1, 3)).waits().claim.release();
    first.release();
    second.release();
  }

  @Test
  void allWhoHoldMoreThanTheNewCapacityAreToldAndCanBeEvicted() throws Exception {
    List<ShareAsker> holding = IntStream.range(0, 5).mapToObj(i -> asker(Share.of(1, 5))).toList();
    for (ShareAsker one : holding) {
      one.granted();
    }
    ShareAsker waiting = asker(Share.of(1, 5)).waits();
    assertTrue(answer(inspection().changeCapacity(name, 5, 2)));
    waiting.refused();
    assertEquals(ReleaseAnswer.NOT_OURS, answer(waiting.claim.release()));
    ShareAsker next = asker(Share.of(1, 2)).waits();
    List<String> owners = holding.stream().map(one -> one.owner + " 1 of 2").toList();
    assertEquals(owners, holders());
    assertTrue(answer(inspection().changeCapacity(name, 2, 3)));
    next.refused();
    assertEquals(ReleaseAnswer.NOT_OURS, answer(next.claim.release()));
    assertEquals(5, holders().size());
    LockHolder last = answer(inspection().holders(name)).get(4);
    assertTrue(answer(inspection().evict(last)));
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(holding.get(4), TTL));
    for (ShareAsker one : holding.subList(0, 4)) {
      assertInstanceOf(RenewalAnswer.Extended.class, renewed(one, TTL));
      one.release();
    }
    assertEquals(List.of(), holders());
  }

  @Test
  void aChangeOfTheCapacityLeavesKeysOfOthersAlone() throws Exception {
    ShareAsker holder = asker(Share.of(1, 5));
    holder.granted();
    for (String value : List.of("hello", "§5/1 hello")) {
      String key = "/holdfast/lock/" + name + "/note";
      scene.administrator.put(key, value);
      ExecutionException failure =
          assertThrows(
              ExecutionException.class, () -> answer(inspection().changeCapacity(name, 5, 2)));
      LockRejectedException refused =
          assertInstanceOf(LockRejectedException.class, failure.getCause());
      String said = String.valueOf(refused.getMessage());
      assertTrue(said.contains("other than a lock at the key '" + key + "'"), said);
      assertEquals(List.of(value), valuesWithoutLease());
      assertEquals(List.of(holder.owner + " 1 of 5"), holders());
      assertTrue(scene.administrator.delete(ByteString.copyFromUtf8(key)));
    }
    assertTrue(answer(inspection().changeCapacity(name, 5, 2)));
    holder.release();
  }

  private List<String> valuesWithoutLease() {
    return scene.administrator.entries("/holdfast/lock/" + name + "/").stream()
        .filter(entry -> entry.getLease() == 0)
        .map(entry -> entry.getValue().toStringUtf8())
        .toList();
  }

  @Test
  void oneOfSeveralHoldersIsEvicted() throws Exception {
    ShareAsker first = asker(Share.of(1, 2));
    ShareAsker second = asker(Share.of(1, 2));
    first.granted();
    second.granted();
    ShareAsker waiting = asker(Share.of(1, 2)).waits();
    LockHolder told = answer(inspection().holders(name)).get(1);
    assertTrue(answer(inspection().evict(told)));
    assertFalse(answer(inspection().evict(told)));
    waiting.wokenAndGranted();
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(second, TTL));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(first, TTL));
    first.release();
    waiting.release();
  }
}
