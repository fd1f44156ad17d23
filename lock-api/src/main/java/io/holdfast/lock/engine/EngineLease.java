/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.ReleaseOutcome;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The lease as users hold it: a view of a {@link Grant}, of one lock or of several. */
abstract class EngineLease implements Lease {

  private final Grant grant;

  EngineLease(Grant grant) {
    this.grant = grant;
  }

  /** Somebody relies on it who may not have it. */
  abstract void pin();

  @Override
  public boolean isValid() {
    return grant.isValid();
  }

  @Override
  public Duration remaining() {
    return grant.remaining();
  }

  @Override
  public void ensureValid() {
    if (!grant.isValid()) {
      throw grant.lost();
    }
  }

  @Override
  public void extend(Duration ttl) {
    Blocking.awaitUninterruptibly(grant.extend(LockOptions.checkTtl(ttl)));
  }

  @Override
  public CompletableFuture<Void> extendAsync(Duration ttl) {
    return grant.client.onCallbacks(grant.extend(LockOptions.checkTtl(ttl)));
  }

  @Override
  public void expireIn(Duration left) {
    Blocking.awaitUninterruptibly(grant.expireIn(LockOptions.checkTtl(left)));
  }

  @Override
  public CompletableFuture<Void> expireInAsync(Duration left) {
    return grant.client.onCallbacks(grant.expireIn(LockOptions.checkTtl(left)));
  }

  @Override
  public ReleaseOutcome release() {
    try {
      return grant.client.outcome(grant.release());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Releases it, undoes what was done under the lock where a backend can, and says what became of
   * it.
   */
  ReleaseOutcome discard() {
    try {
      return grant.client.outcome(grant.discard());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public CompletableFuture<ReleaseOutcome> releaseAsync() {
    try {
      return grant.client.onCallbacks(grant.release());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void close() {
    discard();
  }

  @Override
  public CompletableFuture<Loss> loss() {
    pin();
    return grant.client.onCallbacks(grant.loss);
  }

  @Override
  public void onLoss(Consumer<? super Loss> callback) {
    Objects.requireNonNull(callback, "callback");
    pin();
    grant.loss.thenAccept(loss -> grant.client.callbacks.execute(() -> callback.accept(loss)));
  }

  @Override
  public String toString() {
    return grant.toString();
  }
}
