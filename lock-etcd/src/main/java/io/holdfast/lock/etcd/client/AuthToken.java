/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The token that etcd gives for a name and a password: asked for once, and again when outdated. */
final class AuthToken {

  static final MethodDescriptor<AuthenticateRequest, AuthenticateResponse> METHOD =
      AuthGrpc.getAuthenticateMethod();

  private final AuthenticateRequest request;
  private final BiFunction<AuthenticateRequest, Deadline, CompletableFuture<AuthenticateResponse>>
      ask;
  private final AtomicReference<@Nullable CompletableFuture<String>> token =
      new AtomicReference<>();

  AuthToken(
      Credentials credentials,
      BiFunction<AuthenticateRequest, Deadline, CompletableFuture<AuthenticateResponse>> ask) {
    this.request =
        AuthenticateRequest.newBuilder()
            .setName(credentials.user())
            .setPassword(credentials.password())
            .build();
    this.ask = ask;
  }

  /**
   * The token; requests that come while it is asked for wait for the same answer.
   *
   * @param deadline of the request that asks for it
   */
  CompletableFuture<String> token(Deadline deadline) {
    CompletableFuture<String> fresh = new CompletableFuture<>();
    CompletableFuture<String> known = token.compareAndExchange(null, fresh);
    if (known != null) {
      return known;
    }
    ask(deadline)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                fresh.complete(answer.getToken());
              } else {
                token.compareAndSet(fresh, null);
                fresh.completeExceptionally(failure);
              }
            });
    return fresh;
  }

  /** An interceptor that throws is a request that failed. */
  private CompletableFuture<AuthenticateResponse> ask(Deadline deadline) {
    try {
      return ask.apply(request, deadline);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The token that is known without asking; empty if there is none. */
  String known() {
    CompletableFuture<String> current = token.get();
    return current == null || current.isCompletedExceptionally() ? "" : current.getNow("");
  }

  /** Etcd does not take this one any more. */
  void forget(String outdated) {
    CompletableFuture<String> current = token.get();
    if (current != null && current.isDone() && known().equals(outdated)) {
      token.compareAndSet(current, null);
    }
  }
}
