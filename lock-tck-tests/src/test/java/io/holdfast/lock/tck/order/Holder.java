/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.Lease;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A lease, what its holder was told of it, and whether that is what the contract promises. */
final class Holder {

  final Lease lease;

  private final ScriptedClaim claim;
  private final TimeSource time;
  private final Consumer<String> broken;
  private final long token;
  private Optional<CompletableFuture<ReleaseOutcome>> release = Optional.empty();
  private int losses;
  private boolean saidNo;
  private boolean handedOn;

  /** Until when it was valid at the last look; empty before the first. */
  private Optional<Long> lastUntil = Optional.empty();

  /** By when it ends, as its holder wants it to. */
  private Optional<Long> mostUntil = Optional.empty();

  Holder(Lease lease, ScriptedClaim claim, TimeSource time, Consumer<String> broken) {
    this.lease = lease;
    this.claim = claim;
    this.time = time;
    this.broken = broken;
    this.token = lease.fencingToken();
    lease.onLoss(loss -> losses++);
  }

  /** The next lease has the same claim. */
  void followedBy(Holder next) {
    handedOn |= next.claim == claim;
    expect(next.token > token, "the token of the next lease is smaller");
  }

  boolean isReleased() {
    return release.isPresent();
  }

  boolean isOver() {
    return release.map(CompletableFuture::isDone).orElse(false);
  }

  void release() {
    release = Optional.of(lease.releaseAsync());
  }

  /** Its holder has set an earlier end. */
  void endsBy(long until) {
    mostUntil = Optional.of(until);
  }

  /**
   * Its holder asks for an extension. An extension that was asked for before the earlier end does
   * not count.
   */
  void mayEndLater() {
    mostUntil = Optional.empty();
  }

  /** Without a look at the lease, which would change it. */
  void hear() {
    expect(losses <= 1, "a loss is told twice");
    if (isReleased()) {
      ReleaseOutcome outcome = isOver() ? release.orElseThrow().join() : ReleaseOutcome.UNKNOWN;
      boolean lost = outcome == ReleaseOutcome.ALREADY_LOST;
      expect(losses == (lost ? 1 : 0), "released as " + outcome + ", losses: " + losses);
      expect(
          outcome != ReleaseOutcome.RELEASED || claim.freed || handedOn,
          "released, and neither freed nor handed on");
    }
  }

  /**
   * Looks at the lease.
   *
   * @param closed whether the client is
   * @param maySink whether the holder has set an earlier end since the last look
   * @return whether it is valid
   */
  boolean look(boolean closed, boolean maySink) {
    long now = time.nanos();
    Duration left = lease.remaining();
    boolean valid = lease.isValid();
    expect(valid == !left.isZero(), "valid: " + valid + ", with time left: " + left);
    expect(lease.fencingToken() == token, "its token has changed");
    hear();
    if (valid) {
      believed(now + left.toNanos(), maySink);
      expect(!closed, "valid after the close");
    } else {
      if (!saidNo && !isReleased()) {
        boolean timeOver = lastUntil.map(until -> until - now <= 0).orElse(true);
        expect(timeOver || claim.knownLost || closed, "lost for no reason");
      }
      saidNo = true;
    }
    if (!isReleased()) {
      expect(losses == (valid ? 0 : 1), "valid: " + valid + ", losses told: " + losses);
    }
    return valid;
  }

  private void believed(long until, boolean maySink) {
    expect(!saidNo, "valid again");
    expect(!isReleased(), "valid after its release");
    expect(!claim.knownLost, "valid though it is known to be lost");
    expect(until - claim.keptUntil <= 0, "valid for longer than the server keeps it");
    expect(until - claim.promisedUntil <= 0, "valid for longer than any answer has promised");
    expect(mostUntil.map(most -> until - most <= 0).orElse(true), "an earlier end does not count");
    if (!maySink) {
      expect(lastUntil.map(last -> until - last >= 0).orElse(true), "its time has become shorter");
    }
    lastUntil = Optional.of(until);
  }

  /** Until when it is valid; now if it is not. */
  long until() {
    return time.nanos() + lease.remaining().toNanos();
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      broken.accept(otherwise);
    }
  }
}
