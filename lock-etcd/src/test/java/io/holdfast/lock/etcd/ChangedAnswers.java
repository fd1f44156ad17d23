/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Changes the answers to one kind of request on their way to the client. */
final class ChangedAnswers<T> implements ClientInterceptor {

  private final MethodDescriptor<?, T> kind;
  private volatile UnaryOperator<T> change = answer -> answer;
  private volatile Optional<Status> refusal = Optional.empty();

  ChangedAnswers(MethodDescriptor<?, T> kind) {
    this.kind = kind;
  }

  void change(UnaryOperator<T> to) {
    change = to;
  }

  /** Instead of an answer. */
  void refuse(Status status) {
    refusal = Optional.of(status);
  }

  void end() {
    change = answer -> answer;
    refusal = Optional.empty();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    if (!method.equals(kind)) {
      return call;
    }
    return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(new Changing<>(listener), headers);
      }
    };
  }

  private final class Changing<A>
      extends ForwardingClientCallListener.SimpleForwardingClientCallListener<A> {

    Changing(ClientCall.Listener<A> listener) {
      super(listener);
    }

    /** Of the kind that was compared. */
    @Override
    @SuppressWarnings("unchecked")
    public void onMessage(A message) {
      if (refusal.isEmpty()) {
        super.onMessage((A) change.apply((T) message));
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      super.onClose(refusal.orElse(status), trailers);
    }
  }
}
