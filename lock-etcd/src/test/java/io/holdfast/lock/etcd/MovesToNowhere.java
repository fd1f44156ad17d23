/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.MethodDescriptor;

/**
 * Has each move of a key name a lease that etcd does not have, until it is told otherwise: as when
 * the lease has ended before the move arrives.
 */
final class MovesToNowhere implements ClientInterceptor {

  private static final long NOWHERE = 1;

  private volatile boolean over;

  void end() {
    over = true;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void sendMessage(Q message) {
        super.sendMessage(
            !over && message instanceof TxnRequest request && isMove(request)
                ? method.parseRequest(toNowhere(request).toByteString().newInput())
                : message);
      }
    };
  }

  private static boolean isMove(TxnRequest request) {
    return request.getSuccessCount() == 1 && request.getSuccess(0).getRequestPut().getIgnoreValue();
  }

  private static TxnRequest toNowhere(TxnRequest move) {
    TxnRequest.Builder changed = move.toBuilder();
    PutRequest.Builder put = changed.getSuccessBuilder(0).getRequestPutBuilder();
    put.setLease(NOWHERE);
    return changed.build();
  }
}
