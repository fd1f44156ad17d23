/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.until;
import static io.holdfast.lock.etcd.ShareAsker.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which shares wait for which in a queue, and which are woken. */
class SharesTest {

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
  void readersShareAndAWriterHasItsTurn() throws Exception {
    ShareAsker first = scene.asker(Share.READ);
    ShareAsker second = scene.asker(Share.READ);
    long one = first.granted();
    long two = second.granted();
    ShareAsker writer = scene.asker(Share.WRITE).waits();
    ShareAsker late = scene.asker(Share.READ).waits();
    assertEquals(List.of(first.owner + " read", second.owner + " read"), scene.holders());
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
  void aClaimThatDoesNotWaitTakesNoPlace() throws Exception {
    for (Share share : List.of(Share.LOCK, Share.WRITE, Share.of(2, 2))) {
      ShareAsker holder = scene.asker(share);
      long first = holder.granted();
      ShareAsker tries = scene.trying(share).waits();
      assertEquals(1, scene.keys());
      holder.release();
      // Its release has not been asked for, and is in nobody's way.
      ShareAsker next = scene.asker(share);
      long second = next.granted();
      assertTrue(second > first, first + ", " + second);
      assertEquals(ReleaseAnswer.NOT_OURS, answer(tries.claim.release()));
      next.release();
      tries.isLeftAlone();
      ShareAsker free = scene.trying(share);
      assertTrue(free.granted() > second);
      assertEquals(1, scene.keys());
      free.release();
    }
  }

  @Test
  void aWriterThatDoesNotWaitKeepsNoReaderOut() throws Exception {
    ShareAsker reader = scene.asker(Share.READ);
    reader.granted();
    scene.trying(Share.WRITE).waits();
    ShareAsker next = scene.asker(Share.READ);
    next.granted();
    assertEquals(2, scene.keys());
    next.release();
    reader.release();
  }

  @Test
  void aClaimThatDoesNotWaitIsGrantedIfItFits() throws Exception {
    ShareAsker writer = scene.asker(Share.WRITE);
    writer.granted();
    scene.trying(Share.READ).waits();
    assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
    ShareAsker reader = scene.trying(Share.READ);
    reader.granted();
    ShareAsker another = scene.trying(Share.READ);
    another.granted();
    ShareAsker waiting = scene.asker(Share.WRITE).waits();
    scene.trying(Share.READ).waits();
    writer.release();
    reader.release();
    another.release();
    waiting.wokenAndGranted();
    waiting.release();
  }

  @Test
  void asManyAreGrantedAsFitThoughAllTryAtOnce() throws Exception {
    List<ShareAsker> all =
        IntStream.range(0, 12).mapToObj(i -> scene.trying(Share.of(1, 3))).toList();
    List<CompletionStage<Attempt>> attempts = all.stream().map(one -> one.claim.attempt()).toList();
    int granted = 0;
    for (CompletionStage<Attempt> attempt : attempts) {
      granted += answer(attempt) instanceof Attempt.Granted ? 1 : 0;
    }
    assertEquals(3, granted);
    assertEquals(3, scene.keys());
    for (ShareAsker one : all) {
      answer(one.claim.release());
    }
    assertEquals(0, scene.keys());
  }

  @Test
  void aReaderIsWokenByTheWriterAheadOnly() throws Exception {
    ShareAsker before = scene.asker(Share.READ);
    before.granted();
    ShareAsker writer = scene.asker(Share.WRITE).waits();
    ShareAsker gone = scene.asker(Share.READ).waits();
    ShareAsker reader = scene.asker(Share.READ).waits();
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
    ShareAsker three = scene.asker(Share.of(3, 5));
    three.granted();
    ShareAsker big = scene.asker(Share.of(3, 5)).waits();
    ShareAsker small = scene.asker(Share.of(1, 5)).waits();
    ShareAsker bigToo = scene.asker(Share.of(3, 5)).waits();
    three.release();
    big.wokenAndGranted();
    small.wokenAndGranted();
    bigToo.isLeftAlone();
    assertEquals(List.of(big.owner + " 3 of 5", small.owner + " 1 of 5"), scene.holders());
    small.release();
    bigToo.isLeftAlone();
    big.release();
    bigToo.wokenAndGranted();
    bigToo.release();
  }

  @Test
  void oneReleaseWakesOneOfManyThatWaitForAPermit() throws Exception {
    ShareAsker holder = scene.asker(Share.of(2, 2));
    holder.granted();
    List<ShareAsker> waiting =
        List.of(
            scene.asker(Share.of(2, 2)).waits(),
            scene.asker(Share.of(1, 2)).waits(),
            scene.asker(Share.of(1, 2)).waits());
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
  void aWriterBecomesAReaderWithoutAnotherWriterInBetween() throws Exception {
    ShareAsker writer = scene.asker(Share.WRITE);
    writer.granted();
    ShareAsker reader = scene.asker(Share.READ).waits();
    ShareAsker other = scene.asker(Share.WRITE).waits();
    assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
    reader.wokenAndGranted();
    other.waits();
    assertEquals(List.of(writer.owner + " read", reader.owner + " read"), scene.holders());
    assertInstanceOf(RenewalAnswer.Extended.class, scene.renewed(writer, ShareHarness.TTL));
    // To a longer lease: what it has is still one permit.
    assertInstanceOf(
        RenewalAnswer.Extended.class, scene.renewed(writer, ShareHarness.TTL.multipliedBy(3)));
    assertEquals(List.of(writer.owner + " read", reader.owner + " read"), scene.holders());
    writer.release();
    reader.release();
    other.wokenAndGranted();
    other.release();
  }

  @Test
  void oneOfSeveralHoldersIsEvicted() throws Exception {
    ShareAsker first = scene.asker(Share.of(1, 2));
    ShareAsker second = scene.asker(Share.of(1, 2));
    first.granted();
    second.granted();
    ShareAsker waiting = scene.asker(Share.of(1, 2)).waits();
    LockHolder told = answer(scene.inspection().holders(scene.name)).get(1);
    assertTrue(answer(scene.inspection().evict(told)));
    assertFalse(answer(scene.inspection().evict(told)));
    waiting.wokenAndGranted();
    assertInstanceOf(RenewalAnswer.Lost.class, scene.renewed(second, ShareHarness.TTL));
    assertInstanceOf(RenewalAnswer.Extended.class, scene.renewed(first, ShareHarness.TTL));
    first.release();
    waiting.release();
  }
}
