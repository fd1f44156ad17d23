/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.Status;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The stream on which leases are kept alive: who is answered by what, and when it is left. */
class KeepAlivesTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final LeaseKeepAliveResponse NONE =
      LeaseKeepAliveResponse.newBuilder().setTTL(-1).build();

  private final SetTime time = new SetTime();
  private final FakeChannel first = FakeChannel.answering();
  private final FakeChannel second = FakeChannel.answering();
  private final List<Member> members =
      List.of(Member.own(first, true, time), Member.own(second, true, time));
  private final EtcdConnection link = new EtcdConnection(members, Optional.empty(), TIMEOUT);
  private final KeepAlives keepAlives = new KeepAlives(link, time);

  private CompletableFuture<LeaseKeepAliveResponse> ask(long lease) {
    return keepAlives.ask(List.of(lease)).get(0);
  }

  private static LeaseKeepAliveResponse alive(long lease, long ttl) {
    return LeaseKeepAliveResponse.newBuilder().setID(lease).setTTL(ttl).build();
  }

  private static Status.Code failure(CompletableFuture<?> answer) {
    assertTrue(answer.isDone());
    CompletionException failure = assertThrows(CompletionException.class, answer::join);
    return EtcdFailures.status(Failures.cause(failure)).getCode();
  }

  @Test
  void anAnswerIsOfItsLeaseAndOfTheFirstThatAsked() {
    CompletableFuture<LeaseKeepAliveResponse> one = ask(7);
    CompletableFuture<LeaseKeepAliveResponse> two = ask(7);
    CompletableFuture<LeaseKeepAliveResponse> other = ask(8);
    assertEquals(1, first.calls.size(), "one stream for all");
    assertEquals(
        List.of(7L, 7L, 8L),
        first.lastCall().sent.stream().map(it -> ((LeaseKeepAliveRequest) it).getID()).toList());
    first.lastCall().answer(alive(9, 1));
    first.lastCall().answer(alive(8, 3));
    assertEquals(3, other.getNow(NONE).getTTL());
    assertFalse(one.isDone());
    first.lastCall().answer(alive(7, 5));
    assertEquals(5, one.getNow(NONE).getTTL());
    assertFalse(two.isDone());
    first.lastCall().answer(alive(7, 0));
    assertEquals(0, two.getNow(NONE).getTTL());
  }

  /** As a member does that is stopped: whoever waits asks another at once. */
  @Test
  void aStreamThatTheMemberEndsFailsWhatWaits() {
    for (Status end : List.of(Status.OK, Status.UNAVAILABLE)) {
      CompletableFuture<LeaseKeepAliveResponse> answer = ask(7);
      int streams = first.calls.size();
      first.lastCall().end(end);
      assertEquals(Status.Code.UNAVAILABLE, failure(answer));
      CompletableFuture<LeaseKeepAliveResponse> next = ask(7);
      assertEquals(streams + 1, first.calls.size());
      first.lastCall().answer(alive(7, 5));
      assertEquals(5, next.getNow(NONE).getTTL());
    }
  }

  @Test
  void aMemberThatLeavesOneUnansweredIsLeftForTheNext() {
    CompletableFuture<LeaseKeepAliveResponse> answer = ask(7);
    assertEquals(List.of(TIMEOUT), time.delays);
    time.runTasks();
    assertEquals(Status.Code.DEADLINE_EXCEEDED, failure(answer));
    assertTrue(first.lastCall().cancelled);
    assertSame(members.get(1), link.member());
    assertFalse(ask(7).isDone());
    assertEquals(1, second.calls.size());
  }

  @Test
  void aMemberThatAnswersKeepsItsTurn() {
    ask(7);
    first.lastCall().answer(alive(7, 5));
    time.runTasks();
    assertSame(members.get(0), link.member());
    assertFalse(first.lastCall().cancelled);
  }

  /** The answer is as good as any, if it comes. */
  @Test
  void requestsOnAStreamThatWasLeftMayStillBeAnswered() {
    CompletableFuture<LeaseKeepAliveResponse> before = ask(7);
    FakeCall<?, ?> left = first.lastCall();
    keepAlives.turnFrom(members.get(1));
    assertFalse(left.halfClosed, "another member is silent");
    keepAlives.turnFrom(members.get(0));
    assertTrue(left.halfClosed);
    ask(7);
    assertEquals(2, first.calls.size());
    left.answer(alive(7, 5));
    assertEquals(5, before.getNow(NONE).getTTL());
  }

  /** On a borrowed channel nobody else ends them. */
  @Test
  void closingEndsEachStream() {
    CompletableFuture<LeaseKeepAliveResponse> before = ask(7);
    keepAlives.turnFrom(members.get(0));
    CompletableFuture<LeaseKeepAliveResponse> now = ask(7);
    keepAlives.close();
    assertTrue(first.calls.stream().allMatch(call -> call.cancelled));
    assertEquals(Status.Code.CANCELLED, failure(before));
    assertEquals(Status.Code.CANCELLED, failure(now));
    assertTrue(ask(7).isCompletedExceptionally());
  }
}
