/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;

/**
 * Throws for each call of one method until it is told otherwise, as one without credentials does.
 */
final class ThrowingCalls implements ClientInterceptor {

  private final MethodDescriptor<?, ?> method;
  private volatile boolean over;

  ThrowingCalls(MethodDescriptor<?, ?> method) {
    this.method = method;
  }

  void begin() {
    over = false;
  }

  void end() {
    over = true;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> called, CallOptions options, Channel next) {
    if (!over && called.equals(method)) {
      throw new IllegalStateException("No credentials now");
    }
    return next.newCall(called, options);
  }
}
