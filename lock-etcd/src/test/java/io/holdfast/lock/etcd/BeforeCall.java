/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Takes a step just before the next request of one kind is sent, which it overtakes. */
final class BeforeCall implements ClientInterceptor {

  private final AtomicReference<Optional<Runnable>> waiting =
      new AtomicReference<>(Optional.empty());

  private final MethodDescriptor<?, ?> kind;

  BeforeCall(MethodDescriptor<?, ?> kind) {
    this.kind = kind;
  }

  static BeforeCall transaction() {
    return new BeforeCall(KVGrpc.getTxnMethod());
  }

  void take(Runnable step) {
    waiting.set(Optional.of(step));
  }

  boolean isTaken() {
    return Objects.requireNonNull(waiting.get()).isEmpty();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    if (method.equals(kind)) {
      Objects.requireNonNull(waiting.getAndSet(Optional.empty())).ifPresent(Runnable::run);
    }
    return next.newCall(method, options);
  }
}
