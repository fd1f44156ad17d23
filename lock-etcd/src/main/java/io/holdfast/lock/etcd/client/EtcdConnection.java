/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests to etcd: each with a deadline, to one member at a time, with a token where there is
 * authentication. Nothing is sent twice, but what etcd refused for its token. After an outage the
 * next member's turn comes. While a member pauses ({@link ReconnectPause}), requests to it wait for
 * the end of the pause, and streams fail at once.
 *
 * <p>Every request says that it wants a leader, so that a member that is cut off from the others
 * refuses at once, and ends our streams.
 */
public final class EtcdConnection {

  private static final Metadata.Key<String> LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  /** A waiter that has lost its place has so many requests to wait for. */
  private static final int MOST_IN_A_ROW = 4;

  private static final Duration SCHEDULING = Duration.ofMillis(100);

  private final List<Member> members;
  private final Duration timeout;
  private final Optional<AuthToken> identity;
  private final AtomicInteger turn = new AtomicInteger();

  public EtcdConnection(List<Member> members, Optional<Credentials> credentials, Duration timeout) {
    this.members = List.copyOf(members);
    this.timeout = timeout;
    this.identity =
        credentials.map(
            who ->
                new AuthToken(
                    who,
                    (request, deadline) ->
                        send(
                            member(),
                            AuthToken.METHOD,
                            request,
                            "",
                            deadline.minimum(requestDeadline()))));
  }

  /** The end of an operation that begins now, for all requests that it is made of. */
  public Deadline deadline() {
    return Deadline.after(timeout.multipliedBy(MOST_IN_A_ROW).toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Of one request. */
  public Duration timeout() {
    return timeout;
  }

  /** After which a request and all that it waits for has ended. */
  public Duration operationTimeout() {
    // A release waits for an attempt, which may end by keeping its lease alive; and each of them
    // for
    // a transaction that is under way.
    return timeout.multipliedBy(2 * MOST_IN_A_ROW + 3).plus(SCHEDULING);
  }

  /** The member whose turn it is; not one that pauses, if there is another. */
  public Member member() {
    Member member = members.get(turn.get());
    for (int others = members.size() - 1; others > 0 && member.isPausing(); others--) {
      turnFrom(member);
      member = members.get(turn.get());
    }
    return member;
  }

  /** All that were configured. */
  public List<Member> members() {
    return members;
  }

  /** Whether a password is sent. */
  public boolean hasPassword() {
    return identity.isPresent();
  }

  public int size() {
    return members.size();
  }

  /** Sends one request as a part of an operation. */
  public <Q, A> CompletableFuture<A> call(
      MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
    return callWithin(deadline.minimum(requestDeadline()), method, request);
  }

  private Deadline requestDeadline() {
    return Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Sends one request that has a time-out of its own. */
  public <Q, A> CompletableFuture<A> callWithin(
      Deadline deadline, MethodDescriptor<Q, A> method, Q request) {
    return identified(deadline, member(), method, request);
  }

  /** Asks this very member, as a part of an operation. */
  public <Q, A> CompletableFuture<A> callAt(
      Member member, MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
    return identified(deadline.minimum(requestDeadline()), member, method, request);
  }

  private <Q, A> CompletableFuture<A> identified(
      Deadline deadline, Member member, MethodDescriptor<Q, A> method, Q request) {
    if (identity.isEmpty()) {
      return send(member, method, request, "", deadline);
    }
    AuthToken who = identity.get();
    return who.token(deadline)
        .thenCompose(
            token ->
                send(member, method, request, token, deadline)
                    .exceptionallyCompose(
                        failure -> {
                          if (!EtcdFailures.isStaleToken(failure)) {
                            return CompletableFuture.failedFuture(failure);
                          }
                          who.forget(token);
                          return who.token(deadline)
                              .thenCompose(fresh -> send(member, method, request, fresh, deadline));
                        }));
  }

  private <Q, A> CompletableFuture<A> send(
      Member member, MethodDescriptor<Q, A> method, Q request, String token, Deadline deadline) {
    CompletableFuture<A> answer = new CompletableFuture<>();
    member.ask(
        deadline,
        () -> {
          if (deadline.isExpired()) {
            // The member was not asked, so its silence says nothing.
            answer.completeExceptionally(Status.DEADLINE_EXCEEDED.asRuntimeException());
            return;
          }
          try {
            ask(member, method, request, token, deadline, answer);
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private <Q, A> void ask(
      Member member,
      MethodDescriptor<Q, A> method,
      Q request,
      String token,
      Deadline deadline,
      CompletableFuture<A> answer) {
    ClientCalls.asyncUnaryCall(
        withHeaders(member, token).newCall(method, CallOptions.DEFAULT.withDeadline(deadline)),
        request,
        new StreamObserver<A>() {
          @Override
          public void onNext(A value) {
            member.answered();
            answer.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            if (EtcdFailures.isOutage(failure)) {
              suspect(member, failure);
            } else {
              member.answered();
            }
            answer.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {
            answer.completeExceptionally(
                Status.INTERNAL.withDescription("ended without an answer").asRuntimeException());
          }
        });
  }

  /** Carries a step out when the member whose turn it is does not pause, as a request would be. */
  void afterPause(Runnable step) {
    member().ask(requestDeadline(), step);
  }

  /**
   * Opens a stream to a member, without a deadline. The token that is known is used; a stream that
   * is refused for its token is opened again after the next request has a new one.
   *
   * @throws io.grpc.StatusRuntimeException if the member pauses
   */
  <Q, A> ClientCallStreamObserver<Q> open(
      Member member, MethodDescriptor<Q, A> method, StreamObserver<A> answers) {
    if (member.isPausing()) {
      throw Status.UNAVAILABLE
          .withDescription(
              "connections broke soon after they were made; the next one is made after a pause")
          .asRuntimeException();
    }
    String token = identity.map(AuthToken::known).orElse("");
    return (ClientCallStreamObserver<Q>)
        ClientCalls.asyncBidiStreamingCall(
            withHeaders(member, token).newCall(method, CallOptions.DEFAULT), answers);
  }

  /** After an outage: the next member's turn, unless it has come already. */
  void suspect(Member member, Throwable failure) {
    if (EtcdFailures.status(failure).getCode() == Status.Code.DEADLINE_EXCEEDED) {
      silent(member);
    } else {
      member.failed();
      turnFrom(member);
    }
  }

  /** After a request that was not answered in time; it may be answered yet. */
  public void silent(Member member) {
    member.silent();
    turnFrom(member);
  }

  private void turnFrom(Member member) {
    int index = members.indexOf(member);
    turn.compareAndSet(index, (index + 1) % members.size());
  }

  private static Channel withHeaders(Member member, String token) {
    Metadata headers = new Metadata();
    headers.put(LEADER, "true");
    if (!token.isEmpty()) {
      headers.put(TOKEN, token);
    }
    return ClientInterceptors.intercept(
        member.channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  public void close() {
    members.forEach(Member::close);
  }
}
