/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The locks that a thread asks for: a share of a name, or several locks at once.
 *
 * @param names one; or more, of locks
 * @param share of each of them
 */
record LockRequest(List<String> names, Share share) {

  static List<LockRequest> locks(List<String> names) {
    return names.stream().map(name -> new LockRequest(List.of(name), Share.LOCK)).toList();
  }

  DistributedLock of(LockClient client, LockOptions options) {
    String name = names.get(0);
    return switch (share.mode()) {
      case LOCK -> names.size() == 1 ? client.lock(name, options) : client.allOf(names, options);
      case READ -> client.readWriteLock(name, options).readLock();
      case WRITE -> client.readWriteLock(name, options).writeLock();
      case PERMITS -> client.semaphore(name, share.capacity(), options).permits(share.permits());
    };
  }

  /** The same, with the names in another order: callers may give them in any. */
  LockRequest shuffled(Random random) {
    if (names.size() == 1) {
      return this;
    }
    List<String> others = new ArrayList<>(names);
    Collections.shuffle(others, random);
    return new LockRequest(others, share);
  }

  /** One of the names. */
  String any(Random random) {
    return names.get(random.nextInt(names.size()));
  }

  /** Whether nobody else has a share meanwhile. */
  boolean isExclusive() {
    return share.permits() == share.capacity();
  }
}
