/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests when a channel whose connections break may connect again. */
class ReconnectPauseTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final Deadline NEVER = Deadline.after(1, TimeUnit.DAYS);

  private final SetTime time = new SetTime();
  private final FakeChannel channel = new FakeChannel();
  private final Member member = Member.own(channel, true, time);

  @Test
  void thereIsNoPauseAfterTheFirstBreak() {
    breakAfter(channel, Duration.ZERO);
    assertFalse(member.isPausing());
  }

  @Test
  void pausesDoubleUpToHalfASecond() {
    breakAfter(channel, Duration.ZERO);
    for (int millis : List.of(20, 40, 80, 160, 320, 500, 500)) {
      breakAfter(channel, SECOND.minusNanos(1));
      assertPause(Duration.ofMillis(millis));
    }
  }

  @Test
  void aConnectionThatLastedEndsThePauses() {
    for (int i = 0; i < 5; i++) {
      breakAfter(channel, Duration.ZERO);
    }
    breakAfter(channel, SECOND);
    assertFalse(member.isPausing());
    breakAfter(channel, Duration.ZERO);
    assertPause(Duration.ofMillis(20));
  }

  @Test
  void requestsWaitForTheEndOfThePause() {
    List<String> asked = new ArrayList<>();
    breakAfter(channel, Duration.ZERO);
    member.ask(NEVER, () -> asked.add("before"));
    assertEquals(List.of("before"), asked);
    breakAfter(channel, Duration.ZERO);
    time.now += Duration.ofMillis(5).toNanos();
    member.ask(NEVER, () -> asked.add("during"));
    assertEquals(List.of("before"), asked);
    assertEquals(List.of(Duration.ofMillis(15)), time.delays);
    time.runTasks();
    assertEquals(List.of("before", "during"), asked);
  }

  @Test
  void noRequestWaitsBeyondItsDeadline() throws Exception {
    EtcdConnection link =
        new EtcdConnection(List.of(member), Optional.empty(), Duration.ofSeconds(9));
    for (int i = 0; i < 6; i++) {
      breakAfter(channel, Duration.ZERO);
    }
    CompletableFuture<RangeResponse> answer =
        link.callWithin(
            Deadline.after(0, TimeUnit.NANOSECONDS),
            KVGrpc.getRangeMethod(),
            RangeRequest.getDefaultInstance());
    assertTrue(time.delays.get(0).compareTo(Duration.ZERO) <= 0, () -> "waits " + time.delays);
    time.runTasks();
    assertEquals(Status.Code.DEADLINE_EXCEEDED, EtcdFailures.status(failureOf(answer)).getCode());
    assertEquals(0, channel.asked);
  }

  @Test
  void anExceptionWhileAskingIsTheAnswer() throws Exception {
    EtcdConnection link =
        new EtcdConnection(List.of(member), Optional.empty(), Duration.ofSeconds(9));
    breakAfter(channel, Duration.ZERO);
    breakAfter(channel, Duration.ZERO);
    CompletableFuture<RangeResponse> answer =
        link.call(KVGrpc.getRangeMethod(), RangeRequest.getDefaultInstance(), link.deadline());
    assertFalse(answer.isDone());
    time.runTasks();
    assertInstanceOf(UnsupportedOperationException.class, failureOf(answer));
    assertEquals(1, channel.asked);
  }

  @Test
  void keepAlivesWaitAsWell() {
    EtcdConnection link =
        new EtcdConnection(List.of(member), Optional.empty(), Duration.ofSeconds(9));
    KeepAlives keepAlives = new KeepAlives(link, time);
    breakAfter(channel, Duration.ZERO);
    breakAfter(channel, Duration.ZERO);
    var answer = keepAlives.ask(List.of(7L)).get(0);
    assertFalse(answer.isDone());
    time.now += Duration.ofMillis(20).toNanos();
    time.runTasks();
    assertEquals(1, channel.asked);
    assertInstanceOf(UnsupportedOperationException.class, failureOf(answer));
  }

  private static Throwable failureOf(CompletableFuture<?> answer) {
    return Objects.requireNonNull(
        assertThrows(ExecutionException.class, () -> answer.get(9, TimeUnit.SECONDS)).getCause());
  }

  @Test
  void aConnectionThatIsBeingMadeNeedsNoPause() {
    breakAfter(channel, Duration.ZERO);
    breakAfter(channel, Duration.ZERO);
    assertTrue(member.isPausing());
    channel.changeTo(ConnectivityState.CONNECTING);
    assertFalse(member.isPausing());
  }

  @Test
  void closingEndsTheWaitOfRequests() {
    List<String> asked = new ArrayList<>();
    breakAfter(channel, Duration.ZERO);
    breakAfter(channel, Duration.ZERO);
    member.ask(NEVER, () -> asked.add("waits"));
    member.close();
    assertEquals(List.of("waits"), asked);
    member.ask(NEVER, () -> asked.add("late"));
    time.runTasks();
    assertEquals(List.of("waits", "late"), asked, "each once");
  }

  @Test
  void failedConnectionsAreMadeAnewWithPauses() {
    channel.changeTo(ConnectivityState.CONNECTING);
    channel.changeTo(ConnectivityState.TRANSIENT_FAILURE);
    member.failed();
    assertEquals(1, channel.resets);
    assertFalse(member.isPausing(), "a request is refused by the channel");
    member.failed();
    int resets = 2;
    for (int millis : List.of(20, 40, 80, 160, 320, 500, 500)) {
      assertEquals(resets, channel.resets);
      time.now += Duration.ofMillis(millis).toNanos() - 1;
      member.failed();
      assertEquals(resets, channel.resets);
      time.now++;
      member.failed();
      resets++;
    }
  }

  @Test
  void aConnectionThatBrokeIsNotMadeByAFailure() {
    breakAfter(channel, Duration.ZERO);
    member.failed();
    assertEquals(0, channel.resets);
    assertFalse(member.isPausing());
  }

  @Test
  void anotherMemberIsAskedAtOnce() {
    FakeChannel second = new FakeChannel();
    Member other = Member.own(second, true, time);
    EtcdConnection link =
        new EtcdConnection(List.of(member, other), Optional.empty(), Duration.ofSeconds(1));
    breakAfter(channel, Duration.ZERO);
    assertSame(member, link.member());
    breakAfter(channel, Duration.ZERO);
    assertSame(other, link.member());
    time.now += Duration.ofMinutes(1).toNanos();
    assertSame(other, link.member(), "streams stay where they are");
  }

  @Test
  void aBorrowedChannelHasNoPauses() {
    FakeChannel borrowed = new FakeChannel();
    Member foreign = Member.borrowed(borrowed);
    for (int i = 0; i < 5; i++) {
      breakAfter(borrowed, Duration.ZERO);
    }
    assertFalse(foreign.isPausing());
  }

  private void breakAfter(FakeChannel broken, Duration life) {
    broken.changeTo(ConnectivityState.CONNECTING);
    broken.changeTo(ConnectivityState.READY);
    time.now += life.toNanos();
    broken.changeTo(ConnectivityState.IDLE);
  }

  private void assertPause(Duration expected) {
    time.now += expected.toNanos() - 1;
    assertTrue(member.isPausing());
    time.now++;
    assertFalse(member.isPausing());
  }
}
