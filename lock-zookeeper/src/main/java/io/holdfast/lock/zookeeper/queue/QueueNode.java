/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.queue;

import io.holdfast.lock.Share;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A contender, as the name of its node tells: {@code <owner id>~<sequence>} for a lock, {@code
 * <owner id>~<permits>of<capacity>~<sequence>} for a share. A share that was reduced also has the
 * number of its grant, as its node is another one since: {@code <owner
 * id>~<permits>of<capacity>~<number in hexadecimal digits>t~<sequence>}.
 *
 * @param name of the node
 * @param share what it asks for
 * @param grantedAs the number of its grant, if its node was made later
 * @param sequence what the server put at the end of the name
 */
public record QueueNode(String name, Share share, OptionalLong grantedAs, int sequence) {

  private static final Pattern NAME =
      Pattern.compile("[^~]*~(?:(\\d{1,10})of(\\d{1,10})~)?(?:(\\p{XDigit}{1,15})t~)?(\\d{10})");

  private static final int HEX = 16;

  /** The text between the owner id and the sequence. */
  public static String text(Share share) {
    return share.equals(Share.LOCK) ? "" : share.permits() + "of" + share.capacity() + "~";
  }

  /**
   * Reads a name; empty if it is not of this form, or if the server could not number it: it counts
   * up to 2<sup>31</sup> - 1, and goes on to give that number, or negative ones, to all that come
   * after ({@code DataTree.createNode} in ZooKeeper).
   */
  public static Optional<QueueNode> of(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long sequence = Long.parseLong(matcher.group(4));
    Optional<Share> share = share(matcher.group(1), matcher.group(2));
    if (sequence >= Integer.MAX_VALUE || share.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong grantedAs =
        matcher.group(3) == null
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(matcher.group(3), HEX));
    return Optional.of(new QueueNode(name, share.get(), grantedAs, (int) sequence));
  }

  private static Optional<Share> share(@Nullable String permits, @Nullable String capacity) {
    if (permits == null || capacity == null) {
      return Optional.of(Share.LOCK);
    }
    try {
      return Optional.of(new Share(Integer.parseInt(permits), Integer.parseInt(capacity)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * The name of the node that takes the place of this one when it keeps fewer permits.
   *
   * @param grant the number of its grant, whichever nodes it has had since
   */
  public String reducedTo(int kept, long grant) {
    String owner = name.substring(0, name.indexOf('~') + 1);
    return owner
        + text(share.reducedTo(kept))
        + Long.toHexString(grant)
        + "t~"
        + String.format(Locale.ROOT, "%010d", sequence);
  }
}
