/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PendingRenewalsTest {

  private final PendingRenewals renewals = new PendingRenewals();

  @Test
  void anEndWaitsForAllThatAreUnderWay() {
    CompletableFuture<Object> first = new CompletableFuture<>();
    CompletableFuture<Object> second = new CompletableFuture<>();
    assertTrue(renewals.end().isDone());
    renewals.endAnswered();
    assertTrue(renewals.begin(renewals.ends(), first));
    assertTrue(renewals.begin(renewals.ends(), second));
    CompletableFuture<?> end = renewals.end();
    second.complete(null);
    assertFalse(end.isDone());
    first.complete(null);
    assertTrue(end.isDone());
  }

  /** The key of its lock has moved to another server, say. */
  @Test
  void oneIsNotSentAgainAfterAnEndThatWasSetSince() {
    long asked = renewals.ends();
    assertTrue(renewals.begin(asked, CompletableFuture.completedFuture(null)));
    renewals.end();
    renewals.endAnswered();
    assertFalse(renewals.begin(asked, new CompletableFuture<>()));
    assertTrue(renewals.begin(renewals.ends(), new CompletableFuture<>()));
  }

  @Test
  void noneIsSentBeforeAnEndIsAnswered() {
    renewals.end();
    renewals.end();
    renewals.endAnswered();
    assertFalse(renewals.begin(renewals.ends(), new CompletableFuture<>()));
    renewals.endAnswered();
    assertTrue(renewals.begin(renewals.ends(), new CompletableFuture<>()));
  }
}
