/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What users hold: a thin view of a {@link LeaseLife}, which refers to it only weakly. So its end
 * tells that nobody can release the lease any more; and it does not end while the lease is being
 * released, though this may be its last use.
 */
final class HeldLease implements EngineLease {

  private final LeaseLife life;

  private HeldLease(LeaseLife life) {
    this.life = life;
  }

  /** Once for each life. */
  static HeldLease of(LeaseLife life) {
    HeldLease lease = new HeldLease(life);
    life.isSeenBy(lease);
    return lease;
  }

  @Override
  public String lockName() {
    return life.tenure.lockName;
  }

  @Override
  public Share share() {
    return life.share;
  }

  @Override
  public String ownerId() {
    return life.tenure.ownerId;
  }

  @Override
  public long fencingToken() {
    if (life.token == 0) {
      throw new UnsupportedOperationException(
          "This backend has no fencing tokens; see LockClient.capabilities().fencing()");
    }
    return life.token;
  }

  @Override
  public boolean isValid() {
    return life.isValid();
  }

  @Override
  public Duration remaining() {
    return life.remaining();
  }

  @Override
  public void ensureValid() {
    if (!life.isValid()) {
      throw life.lost();
    }
  }

  @Override
  public void extend(Duration ttl) {
    Blocking.awaitUninterruptibly(life.extend(LockOptions.checkTtl(ttl)));
  }

  @Override
  public CompletableFuture<Void> extendAsync(Duration ttl) {
    return client().onCallbacks(life.extend(LockOptions.checkTtl(ttl)));
  }

  @Override
  public void expireIn(Duration left) {
    Blocking.awaitUninterruptibly(life.expireIn(LockOptions.checkTtl(left)));
  }

  @Override
  public CompletableFuture<Void> expireInAsync(Duration left) {
    return client().onCallbacks(life.expireIn(LockOptions.checkTtl(left)));
  }

  @Override
  public Lease downgrade() {
    return Blocking.awaitUninterruptibly(reader());
  }

  @Override
  public CompletableFuture<Lease> downgradeAsync() {
    CompletableFuture<Lease> outer = new CompletableFuture<>();
    reader()
        .whenComplete(
            (lease, failure) ->
                client()
                    .callbacks
                    .execute(
                        () -> {
                          if (!EngineLock.forward(outer, lease, failure) && lease != null) {
                            var unused = lease.releaseAsync();
                          }
                        }));
    return outer;
  }

  private CompletableFuture<Lease> reader() {
    return life.downgrade().thenApply(reader -> reader.given(life.origin()));
  }

  @Override
  public ReleaseOutcome release() {
    try {
      return client().outcome(life.release());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public ReleaseOutcome discard() {
    try {
      return client().outcome(life.discard());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public CompletableFuture<ReleaseOutcome> releaseAsync() {
    try {
      return client().onCallbacks(life.release());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void close() {
    discard();
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    Objects.requireNonNull(type, "type");
    pin();
    return life.tenure.claim.unwrap(type);
  }

  @Override
  public CompletableFuture<Loss> loss() {
    pin();
    return client().onCallbacks(life.loss());
  }

  @Override
  public void onLoss(Consumer<? super Loss> callback) {
    Objects.requireNonNull(callback, "callback");
    pin();
    life.loss().thenAccept(loss -> client().callbacks.execute(() -> callback.accept(loss)));
  }

  @Override
  public void onRenewalFailing(Duration left, Consumer<? super LockEvent.RenewalFailed> callback) {
    RenewalWarnings.Warning warning =
        new RenewalWarnings.Warning(left, client().callbacks, callback);
    pin();
    life.tenure.onStrand(() -> life.warn(warning));
  }

  @Override
  public void onRenewalFailing(Consumer<? super LockEvent.RenewalFailed> callback) {
    onRenewalFailing(
        life.tenure
            .terms
            .earlyWarning()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "The options of lock '%s' have no early warning: set LockOptions.withEarlyWarning, or say how much is left"
                            .formatted(VisibleText.of(lockName())))),
        callback);
  }

  /** Somebody relies on it who may not have it. */
  void pin() {
    life.pin(this);
  }

  private EngineClient client() {
    return life.tenure.client;
  }

  @Override
  public String toString() {
    return life.toString();
  }
}
