/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Keeps back answers of one kind, until told otherwise. */
final class DelayedAnswers implements ClientInterceptor {

  final CompletableFuture<Void> reached = new CompletableFuture<>();
  final CompletableFuture<Void> release = new CompletableFuture<>();
  private final Predicate<Object> isKeptBack;

  private DelayedAnswers(Predicate<Object> isKeptBack) {
    this.isKeptBack = isKeptBack;
  }

  /** Those that grant leases of one length. */
  static DelayedAnswers grants(long seconds) {
    return new DelayedAnswers(
        answer -> answer instanceof LeaseGrantResponse grant && grant.getTTL() == seconds);
  }

  /** Those that say that a lease was kept alive. */
  static DelayedAnswers keepAlives() {
    return new DelayedAnswers(LeaseKeepAliveResponse.class::isInstance);
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(new Holding<>(listener), headers);
      }
    };
  }

  private final class Holding<A>
      extends ForwardingClientCallListener.SimpleForwardingClientCallListener<A> {

    private CompletableFuture<Void> order = CompletableFuture.completedFuture(null);

    Holding(ClientCall.Listener<A> listener) {
      super(listener);
    }

    @Override
    public void onMessage(A message) {
      if (isKeptBack.test(message)) {
        order = release;
        reached.complete(null);
      }
      order = order.thenRun(() -> super.onMessage(message));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      order = order.thenRun(() -> super.onClose(status, trailers));
    }
  }
}
