/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.QueueEntry;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Makes keys that have a place in the queue. */
final class JoinedKey {

  private JoinedKey() {}

  /** Nothing has changed it since it joined. */
  static QueuedKey on(QueuedKey.Place place, LongSupplier clock) {
    QueuedKey key =
        new QueuedKey(
            new QueueEntry(
                new LockKeys("/holdfast", "lock"),
                new ClaimRequest("order", "owner", Duration.ofSeconds(10), Share.LOCK)),
            clock);
    key.joining(place.lease());
    key.joined(place.modified(), place.modified());
    return key;
  }
}
