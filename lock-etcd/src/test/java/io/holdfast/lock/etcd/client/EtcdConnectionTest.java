/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests which member is asked, with which headers, and what its answers say of it. */
class EtcdConnectionTest {

  private static final Status STALE =
      Status.UNAUTHENTICATED.withDescription("etcdserver: invalid auth token");

  private final SetTime time = new SetTime();
  private final List<FakeChannel> channels =
      Stream.generate(FakeChannel::answering).limit(3).toList();
  private final FakeChannel first = channels.get(0);
  private final List<Member> members =
      channels.stream().map(channel -> Member.own(channel, true, time)).toList();

  private EtcdConnection link(int size, Optional<Credentials> credentials) {
    return new EtcdConnection(members.subList(0, size), credentials, Duration.ofSeconds(60));
  }

  private static CompletableFuture<RangeResponse> ask(EtcdConnection link) {
    return link.call(KVGrpc.getRangeMethod(), RangeRequest.getDefaultInstance(), link.deadline());
  }

  private static Status.Code failure(CompletableFuture<?> answer) {
    assertTrue(answer.isDone());
    CompletionException failure = assertThrows(CompletionException.class, answer::join);
    return EtcdFailures.status(Failures.cause(failure)).getCode();
  }

  /** All requests that were under way fail when a member goes, and each tells the same. */
  @Test
  void requestsThatFailTogetherTakeOneTurn() {
    EtcdConnection link = link(3, Optional.empty());
    CompletableFuture<RangeResponse> one = ask(link);
    CompletableFuture<RangeResponse> other = ask(link);
    first.calls.forEach(call -> call.end(Status.UNAVAILABLE));
    assertEquals(Status.Code.UNAVAILABLE, failure(one));
    assertEquals(Status.Code.UNAVAILABLE, failure(other));
    assertSame(members.get(1), link.member());
  }

  @Test
  void aMemberThatDoesNotAnswerInTimeHasNoOtherTurn() {
    EtcdConnection link = link(2, Optional.empty());
    CompletableFuture<RangeResponse> answer = ask(link);
    first.lastCall().end(Status.DEADLINE_EXCEEDED);
    assertEquals(Status.Code.DEADLINE_EXCEEDED, failure(answer));
    assertSame(members.get(1), link.member());
  }

  /** It is there, and another member would say the same. */
  @Test
  void aRefusalIsAnAnswer() {
    first.changeTo(ConnectivityState.READY);
    EtcdConnection link = link(2, Optional.empty());
    EtcdConnection alone = link(1, Optional.empty());
    for (int i = 0; i < 3; i++) {
      assertFalse(ask(alone).isDone());
      first.lastCall().end(Status.DEADLINE_EXCEEDED);
      assertFalse(ask(link).isDone());
      first.lastCall().end(Status.PERMISSION_DENIED);
    }
    assertSame(members.get(0), link.member());
    assertEquals(0, first.idled, "one silence after another has the connection given up");
  }

  @Test
  void aRequestThatEndsWithoutAnAnswerHasFailed() {
    CompletableFuture<RangeResponse> answer = ask(link(1, Optional.empty()));
    first.lastCall().end(Status.OK);
    assertEquals(Status.Code.INTERNAL, failure(answer));
  }

  /** Otherwise a member that is cut off from the others would answer watches and renewals. */
  @Test
  void allWantAMemberThatHasALeader() {
    EtcdConnection link = link(1, Optional.empty());
    assertFalse(ask(link).isDone());
    assertEquals("true", first.lastCall().header("hasleader"));
    open(link);
    assertEquals("true", first.lastCall().header("hasleader"));
    assertNull(first.lastCall().header("token"));
  }

  private void open(EtcdConnection link) {
    link.open(
        members.get(0),
        WatchGrpc.getWatchMethod(),
        new StreamObserver<WatchResponse>() {
          @Override
          public void onNext(WatchResponse answer) {}

          @Override
          public void onError(Throwable failure) {}

          @Override
          public void onCompleted() {}
        });
  }

  @Test
  void aTokenIsAskedForOnceAndSentWithAll() {
    EtcdConnection link = identified();
    ask(link);
    ask(link);
    assertEquals(List.of(AuthToken.METHOD), first.calls.stream().map(call -> call.method).toList());
    assertNull(first.lastCall().header("token"));
    tell("t1");
    assertEquals(3, first.calls.size());
    assertTrue(
        first.calls.subList(1, 3).stream().allMatch(call -> "t1".equals(call.header("token"))));
    open(link);
    assertEquals("t1", first.lastCall().header("token"));
  }

  /** A token that is refused again is no reason to ask for a third. */
  @Test
  void aTokenThatIsRefusedIsReplacedOnce() {
    EtcdConnection link = identified();
    CompletableFuture<RangeResponse> answer = ask(link);
    tell("t1");
    first.lastCall().end(STALE);
    assertEquals(AuthToken.METHOD, first.lastCall().method);
    tell("t2");
    assertEquals("t2", first.lastCall().header("token"));
    assertFalse(answer.isDone());
    first.lastCall().end(STALE);
    assertEquals(Status.Code.UNAUTHENTICATED, failure(answer));
    assertEquals(4, first.calls.size());
  }

  private EtcdConnection identified() {
    return link(1, Optional.of(new Credentials("shop", "a-secret")));
  }

  private void tell(String token) {
    FakeCall<?, ?> asked = first.lastCall();
    asked.answer(AuthenticateResponse.newBuilder().setToken(token).build());
    asked.end(Status.OK);
  }

  /** Each would have a connection made at once. */
  @Test
  void noStreamIsOpenedInAPause() {
    for (int i = 0; i < 2; i++) {
      first.changeTo(ConnectivityState.READY);
      first.changeTo(ConnectivityState.IDLE);
    }
    EtcdConnection link = link(1, Optional.empty());
    StatusRuntimeException told = assertThrows(StatusRuntimeException.class, () -> open(link));
    assertEquals(Status.Code.UNAVAILABLE, told.getStatus().getCode());
    assertEquals(0, first.asked);
  }
}
