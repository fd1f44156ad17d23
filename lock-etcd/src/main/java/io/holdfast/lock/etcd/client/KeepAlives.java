/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.lock.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One stream on which all leases of a client are kept alive. An answer names its lease, and answers
 * about one lease keep the order of the requests. A stream that ends, or that leaves a request
 * unanswered for too long, fails all that waits on it, and the next request opens another.
 */
public final class KeepAlives {

  private final EtcdConnection link;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Stream> open = new HashSet<>();
  private @Nullable Stream current;
  private boolean closed;

  public KeepAlives(EtcdConnection link, TimeSource time) {
    this.link = link;
    this.time = time;
  }

  /** Keeps leases alive; an answer with a TTL of zero or less means that there is no such lease. */
  public List<CompletableFuture<LeaseKeepAliveResponse>> ask(List<Long> ids) {
    List<CompletableFuture<LeaseKeepAliveResponse>> answers =
        ids.stream().map(id -> new CompletableFuture<LeaseKeepAliveResponse>()).toList();
    link.afterPause(() -> ask(ids, answers));
    return answers;
  }

  private void ask(List<Long> ids, List<CompletableFuture<LeaseKeepAliveResponse>> answers) {
    Stream stream;
    List<CompletableFuture<LeaseKeepAliveResponse>> refused = new ArrayList<>();
    @Nullable Throwable ended;
    lock.lock();
    try {
      stream = stream();
      for (int i = 0; i < ids.size(); i++) {
        if (!stream.send(ids.get(i), answers.get(i))) {
          refused.add(answers.get(i));
        }
      }
      ended = stream.ended;
    } finally {
      lock.unlock();
    }
    // Outside of the lock, as callers that wait may ask again at once.
    refused.forEach(
        answer -> answer.completeExceptionally(ended == null ? closedAlready() : ended));
    TimeSource.Timer limit = time.schedule(link.timeout(), () -> stream.unanswered(answers));
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .whenComplete((all, failure) -> limit.cancel());
  }

  /** The stream to the member whose turn it is. */
  private Stream stream() {
    Member member = link.member();
    Stream stream = current;
    if (stream == null || stream.member != member) {
      leave();
      stream = new Stream(member);
      current = stream;
      stream.open();
    }
    return stream;
  }

  /**
   * The next requests go over another stream; those that wait for this one may still be answered.
   */
  public void turnFrom(Member silent) {
    lock.lock();
    try {
      if (current != null && current.member == silent) {
        leave();
      }
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    if (current != null) {
      current.requests().onCompleted();
      current = null;
    }
  }

  public void close() {
    lock.lock();
    try {
      closed = true;
      Set.copyOf(open).forEach(stream -> stream.end(Status.CANCELLED.asRuntimeException()));
    } finally {
      lock.unlock();
    }
  }

  private final class Stream implements StreamObserver<LeaseKeepAliveResponse> {

    final Member member;
    private final Map<Long, Deque<CompletableFuture<LeaseKeepAliveResponse>>> waiting =
        new HashMap<>();
    private @Nullable ClientCallStreamObserver<LeaseKeepAliveRequest> requests;
    private @Nullable Throwable ended;

    Stream(Member member) {
      this.member = member;
    }

    /** Ends it if an interceptor of the application's channel throws. */
    void open() {
      open.add(this);
      try {
        requests = link.open(member, LeaseGrpc.getLeaseKeepAliveMethod(), this);
      } catch (RuntimeException | Error e) {
        end(e);
      }
    }

    ClientCallStreamObserver<LeaseKeepAliveRequest> requests() {
      return Objects.requireNonNull(requests);
    }

    /** False if it has ended, or the client has. */
    boolean send(long id, CompletableFuture<LeaseKeepAliveResponse> answer) {
      if (closed || ended != null) {
        return false;
      }
      waiting.computeIfAbsent(id, key -> new ArrayDeque<>()).add(answer);
      requests().onNext(LeaseKeepAliveRequest.newBuilder().setID(id).build());
      return true;
    }

    @Override
    public void onNext(LeaseKeepAliveResponse response) {
      member.answered();
      CompletableFuture<LeaseKeepAliveResponse> answered = null;
      lock.lock();
      try {
        Deque<CompletableFuture<LeaseKeepAliveResponse>> askers = waiting.get(response.getID());
        if (askers != null) {
          answered = askers.poll();
          if (askers.isEmpty()) {
            waiting.remove(response.getID());
          }
        }
      } finally {
        lock.unlock();
      }
      if (answered != null) {
        answered.complete(response);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end(failure);
    }

    @Override
    public void onCompleted() {
      end(Status.UNAVAILABLE.withDescription("the stream was ended").asRuntimeException());
    }

    void unanswered(List<CompletableFuture<LeaseKeepAliveResponse>> answers) {
      if (answers.stream().allMatch(CompletableFuture::isDone)) {
        return;
      }
      RuntimeException late =
          Status.DEADLINE_EXCEEDED
              .withDescription("a lease was not kept alive in time")
              .asRuntimeException();
      end(late);
      link.suspect(member, late);
    }

    /** Outside of the lock, those who wait may ask again at once. */
    void end(Throwable failure) {
      List<CompletableFuture<LeaseKeepAliveResponse>> failed = new ArrayList<>();
      lock.lock();
      try {
        if (ended != null) {
          return;
        }
        ended = failure;
        open.remove(this);
        if (current == this) {
          current = null;
        }
        waiting.values().forEach(failed::addAll);
        waiting.clear();
        if (requests != null) {
          requests.cancel("given up", failure);
        }
      } finally {
        lock.unlock();
      }
      failed.forEach(asker -> asker.completeExceptionally(failure));
    }
  }

  private static RuntimeException closedAlready() {
    return Status.UNAVAILABLE.withDescription("closed").asRuntimeException();
  }
}
