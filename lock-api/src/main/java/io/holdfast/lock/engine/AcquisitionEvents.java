/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockEvent.GaveUp.Reason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells listeners and the flight recorder about one {@link Acquisition}. */
final class AcquisitionEvents {

  private final EngineClient client;
  private final String lockName;
  private final Share share;
  private final long askedAt;
  private final JfrEvents.@Nullable LockWait recorded = JfrEvents.waitBegins();

  AcquisitionEvents(EngineClient client, String lockName, Share share) {
    this.client = client;
    this.lockName = lockName;
    this.share = share;
    this.askedAt = client.time.nanos();
  }

  void attempted(String ownerId, int attempts) {
    if (client.events.listened()) {
      client.events.publish(new LockEvent.Attempted(lockName, ownerId, share, attempts));
    }
  }

  void contended(String ownerId) {
    if (client.events.listened()) {
      client.events.publish(new LockEvent.Contended(lockName, ownerId, share));
    }
  }

  void attemptFailed(String ownerId, LockException failure) {
    if (client.events.listened()) {
      client.events.publish(new LockEvent.AttemptFailed(lockName, ownerId, share, failure));
    }
  }

  void granted(LeaseLife lease, boolean handedOver, int attempts) {
    String ownerId = lease.tenure.ownerId;
    if (client.events.listened()) {
      client.events.publish(
          new LockEvent.Granted(lockName, ownerId, share, lease.token, waited(), handedOver));
    }
    if (recorded != null) {
      recorded.ends(lockName, ownerId, share, "GRANTED", handedOver, attempts);
    }
  }

  void gaveUp(String ownerId, Reason reason, int attempts) {
    if (client.events.listened()) {
      client.events.publish(new LockEvent.GaveUp(lockName, ownerId, share, reason, waited()));
    }
    if (recorded != null) {
      recorded.ends(lockName, ownerId, share, reason.name(), false, attempts);
    }
  }

  private Duration waited() {
    return Duration.ofNanos(client.time.nanos() - askedAt);
  }
}
