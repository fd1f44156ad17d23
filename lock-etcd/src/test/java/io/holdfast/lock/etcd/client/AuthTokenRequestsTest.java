/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.Deadline;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests how often a token is asked for: etcd takes its time for each, as it compares a password.
 */
class AuthTokenRequestsTest {

  private static final Deadline NEVER = Deadline.after(1, TimeUnit.DAYS);

  private final List<CompletableFuture<AuthenticateResponse>> asked = new ArrayList<>();
  private final AuthToken token =
      new AuthToken(
          new Credentials("shop", "a-secret"),
          (request, deadline) -> {
            CompletableFuture<AuthenticateResponse> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
          });

  private void tell(String fresh) {
    asked.get(asked.size() - 1).complete(AuthenticateResponse.newBuilder().setToken(fresh).build());
  }

  @Test
  void requestsThatComeMeanwhileWaitForTheSame() {
    CompletableFuture<String> one = token.token(NEVER);
    CompletableFuture<String> other = token.token(NEVER);
    assertEquals("", token.known());
    tell("t1");
    assertEquals("t1", one.join());
    assertEquals("t1", other.join());
    assertEquals("t1", token.token(NEVER).join());
    assertEquals("t1", token.known());
    assertEquals(1, asked.size());
  }

  @Test
  void afterAFailureItIsAskedForAgain() {
    CompletableFuture<String> failed = token.token(NEVER);
    asked.get(0).completeExceptionally(Status.UNAVAILABLE.asRuntimeException());
    assertTrue(failed.isCompletedExceptionally());
    assertEquals("", token.known());
    CompletableFuture<String> again = token.token(NEVER);
    tell("t1");
    assertEquals("t1", again.join());
  }

  /** All requests that were under way with the old one are refused, one after another. */
  @Test
  void manyThatWereRefusedAskForOneToken() {
    token.token(NEVER);
    tell("t1");
    token.forget("t1");
    assertEquals("", token.known());
    CompletableFuture<String> fresh = token.token(NEVER);
    token.forget("t1");
    tell("t2");
    token.forget("t1");
    assertEquals("t2", token.known());
    assertEquals("t2", fresh.join());
    assertEquals("t2", token.token(NEVER).join());
    assertEquals(2, asked.size());
  }
}
