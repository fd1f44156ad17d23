/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import com.google.protobuf.ByteString;
import io.holdfast.lock.Share;
import java.util.Optional;

/**
 * The keys of locks: {@code <root>/<namespace>/<lock name>/<lease id>}, with the owner id and its
 * share as value ({@link ClaimValue}). Before a reader's lease id is an {@code r}.
 *
 * <p>Not the owner id in the key: etcd remembers deleted keys until it is compacted, and has to
 * pass by all that a range once held. Leases are used again and again, and so are their keys.
 *
 * <p>In a lock's name the slash and the percent sign are written as {@code %2F} and {@code %25}, so
 * that different names have different keys, and the keys of one lock are a range that holds those
 * of no other lock, whatever the names begin with.
 */
public final class LockKeys {

  private final String base;

  public LockKeys(String root, String namespace) {
    this.base = root + "/" + namespace + "/";
  }

  /** The prefix of every key of the namespace; no lock's queue, as no lock has an empty name. */
  public ByteString base() {
    return ByteString.copyFromUtf8(base);
  }

  /** The prefix of the keys of all contenders for a lock. */
  public ByteString queue(String lockName) {
    return ByteString.copyFromUtf8(base + lockName.replace("%", "%25").replace("/", "%2F") + "/");
  }

  /** The lock that a contender's key is in the queue of; empty if it is no such key. */
  public Optional<String> lockName(ByteString contender) {
    String key = contender.toStringUtf8();
    int end = key.indexOf('/', base.length());
    return end > base.length()
        ? Optional.of(key.substring(base.length(), end).replace("%2F", "/").replace("%25", "%"))
        : Optional.empty();
  }

  /** The key right behind another. */
  public static ByteString next(ByteString key) {
    return key.concat(ByteString.copyFrom(new byte[1]));
  }

  /** The key of a contender in a queue. Readers have keys that are behind all others. */
  public static ByteString contender(ByteString queue, long leaseId, Share.Mode mode) {
    return (mode == Share.Mode.READ ? readersOf(queue) : queue)
        .concat(ByteString.copyFromUtf8(Long.toHexString(leaseId)));
  }

  /** The prefix of the keys of readers; no digit of a lease's number is behind it. */
  static ByteString readersOf(ByteString queue) {
    return queue.concat(ByteString.copyFromUtf8("r"));
  }

  /** The first key behind a queue's last: the slash at the end counted up. */
  public static ByteString endOf(ByteString queue) {
    return queue.substring(0, queue.size() - 1).concat(ByteString.copyFromUtf8("0"));
  }
}
