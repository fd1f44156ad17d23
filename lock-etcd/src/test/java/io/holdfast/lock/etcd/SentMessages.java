/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers the messages that a client sends, over streams as well. */
final class SentMessages implements ClientInterceptor {

  private final List<Object> all = new CopyOnWriteArrayList<>();

  <T> List<T> of(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }

  void clear() {
    all.clear();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void sendMessage(Q message) {
        all.add(message);
        super.sendMessage(message);
      }
    };
  }
}
