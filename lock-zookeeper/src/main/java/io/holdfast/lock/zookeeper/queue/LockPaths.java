/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.queue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The paths of locks: {@code <root>/<namespace>/<lock name>/<owner id>~<sequence>}, names and owner
 * ids percent-encoded.
 *
 * <p>The encoding is injective, because it can be undone: every byte of the UTF-8 form stands for
 * itself if it is one of {@code A-Z a-z 0-9 . _ : -}, and is written as {@code %XX} otherwise. The
 * names {@code .} and {@code ..}, which ZooKeeper refuses, have their dots written as {@code %2E}.
 * The separator {@code ~} is never part of an encoded text, so the sequence number can be told from
 * the owner id.
 */
public final class LockPaths {

  private static final char SEPARATOR = '~';

  private final List<String> ancestors;
  private final String base;

  /**
   * Paths under one namespace.
   *
   * @param root an absolute path, not {@code /}
   * @param namespace one path segment
   */
  public LockPaths(String root, String namespace) {
    this(root + "/" + namespace);
  }

  private LockPaths(String base) {
    this.base = base;
    this.ancestors = ancestors(base);
  }

  /** The same under the namespace of a Curator client; the empty one changes nothing. */
  public LockPaths below(String curatorNamespace) {
    return curatorNamespace.isEmpty() ? this : new LockPaths("/" + curatorNamespace + base);
  }

  /** The node above all locks. */
  public String base() {
    return base;
  }

  /** The nodes from the top down to {@link #base()}. */
  public List<String> ancestors() {
    return ancestors;
  }

  /** The node of a lock, parent of its contenders. */
  public String lock(String lockName) {
    return base + "/" + encode(lockName);
  }

  /** The prefix of the names of an owner's nodes; the server appends the sequence number. */
  public static String prefix(String ownerId) {
    return encode(ownerId) + SEPARATOR;
  }

  /** The owner of a node of a queue. */
  public static String ownerId(String node) {
    return decode(node.substring(0, node.indexOf(SEPARATOR)));
  }

  /** Undoes {@link #encode}; what was never encoded stays as it is where it cannot be undone. */
  public static String decode(String encoded) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(encoded.length());
    byte[] letters = encoded.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < letters.length; i++) {
      int high = letters[i] == '%' && i + 2 < letters.length ? digit(letters[i + 1]) : -1;
      int low = high >= 0 ? digit(letters[i + 2]) : -1;
      if (low >= 0) {
        octets.write(high << 4 | low);
        i += 2;
      } else {
        octets.write(letters[i]);
      }
    }
    return octets.toString(StandardCharsets.UTF_8);
  }

  private static int digit(byte letter) {
    return Character.digit((char) letter, 16);
  }

  public static String encode(String text) {
    if (text.equals(".") || text.equals("..")) {
      return text.replace(".", "%2E");
    }
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (octet & 0xFF);
      if (isPlain(letter)) {
        encoded.append(letter);
      } else {
        encoded.append('%').append(hex(letter >> 4)).append(hex(letter & 0xF));
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(char letter) {
    return (letter >= 'a' && letter <= 'z')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9')
        || "._:-".indexOf(letter) >= 0;
  }

  private static char hex(int digit) {
    return "0123456789ABCDEF".charAt(digit);
  }

  private static List<String> ancestors(String path) {
    return IntStream.rangeClosed(1, path.length())
        .filter(end -> end == path.length() || path.charAt(end) == '/')
        .mapToObj(end -> path.substring(0, end))
        .toList();
  }
}
