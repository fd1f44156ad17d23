/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of a claim's key. For a lock it is the owner id. For a share it is a mark, the
 * capacity, the permits and the owner id, such as {@code §5/2 shop-1}: an owner id is ASCII, so a
 * transaction can tell by comparing values whether a queue is of one capacity. Values of other
 * clients, such as jetcd's empty values, count as a lock's. A holder at the time of a change of the
 * capacity is marked, such as {@code §2/2! shop-1}: it may hold more than fits now.
 *
 * @param permits more than the capacity, if that was changed
 * @param holds whether it is marked as a holder; others may hold as well
 */
public record ClaimValue(String ownerId, int permits, int capacity, boolean holds) {

  /** Greater than all of ASCII. */
  static final String MARK = "§";

  private static final Pattern SHARE = Pattern.compile("§(\\d{1,10})/(\\d{1,10})(!?) (\\S+)");

  /** Of a claim's key; empty if the value is not of this form. */
  public static Optional<ClaimValue> of(KeyValue key) {
    String value = key.getValue().toStringUtf8();
    if (!value.startsWith(MARK)) {
      return Optional.of(new ClaimValue(value, 1, 1, false));
    }
    Matcher share = SHARE.matcher(value);
    return share.matches() ? ofShare(share) : Optional.empty();
  }

  /** Empty if the numbers are none of a share. */
  private static Optional<ClaimValue> ofShare(Matcher share) {
    try {
      ClaimValue value =
          new ClaimValue(
              share.group(4),
              Integer.parseInt(share.group(2)),
              Integer.parseInt(share.group(1)),
              !share.group(3).isEmpty());
      return Optional.of(value).filter(read -> read.share().capacity() > 1);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Of a key that is known to be a claim's. */
  public static ClaimValue known(KeyValue key) {
    return of(key).orElseGet(() -> new ClaimValue("", 1, 1, false));
  }

  /** As asked for. */
  public static ClaimValue of(String ownerId, Share share) {
    return new ClaimValue(ownerId, share.permits(), share.capacity(), false);
  }

  /** With fewer permits. */
  public ClaimValue reducedTo(int kept) {
    return new ClaimValue(ownerId, kept, capacity, holds);
  }

  /** With the same permits of another capacity; marked if it is a holder. */
  public ClaimValue of(int otherCapacity, boolean isHolder) {
    return new ClaimValue(ownerId, permits, otherCapacity, isHolder);
  }

  /** Of more permits than there are, it has all. */
  public Share share() {
    return new Share(Math.min(permits, capacity), capacity);
  }

  /** The bytes that are put. */
  public ByteString value() {
    // Not formatted: that would write the digits of the JVM's locale, which others cannot read.
    return ByteString.copyFromUtf8(
        capacity == 1 ? ownerId : prefix(capacity) + permits + (holds ? "! " : " ") + ownerId);
  }

  /** A key that is not a contender's is in the way. */
  public static LockRejectedException foreign(String operation, KeyValue key) {
    return new LockRejectedException(
        operation
            + ": there is something other than a lock at the key '"
            + key.getKey().toStringUtf8()
            + "'; remove it, or choose another namespace");
  }

  /** The prefix of the values of shares of a capacity. */
  static String prefix(int capacity) {
    return MARK + capacity + "/";
  }
}
