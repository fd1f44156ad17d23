/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request or a stream, whose answers are those that the test gives. */
public final class FakeCall<Q, A> extends ClientCall<Q, A> {

  public final MethodDescriptor<Q, A> method;
  public final List<Q> sent = new ArrayList<>();
  private @Nullable Listener<A> listener;
  private Metadata headers = new Metadata();
  boolean halfClosed;
  boolean cancelled;

  FakeCall(MethodDescriptor<Q, A> method) {
    this.method = method;
  }

  @Override
  public void start(Listener<A> answers, Metadata sentBefore) {
    listener = answers;
    headers = sentBefore;
  }

  @Nullable String header(String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  @SuppressWarnings("unchecked")
  public void answer(Object message) {
    Objects.requireNonNull(listener).onMessage((A) message);
  }

  void end(Status status) {
    Objects.requireNonNull(listener).onClose(status, new Metadata());
  }

  @Override
  public void request(int messages) {}

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    cancelled = true;
  }

  @Override
  public void halfClose() {
    halfClosed = true;
  }

  @Override
  public void sendMessage(Q message) {
    sent.add(message);
  }
}
