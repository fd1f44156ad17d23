/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.schema;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A number of 64 bits for a text in a namespace: the beginning of a SHA-256. Nobody can be made to
 * share it by choosing a name, and by chance a million names share one with a probability of 3 in
 * 10<sup>8</sup>; nothing may rely on that.
 *
 * @param value all 64 bits
 */
public record AdvisoryKey(long value) {

  public static AdvisoryKey of(String kind, String namespace, String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : new String[] {kind, namespace, text}) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        // With its length before it, no part can run over into the next.
        digest.update((byte) (bytes.length >> 8));
        digest.update((byte) bytes.length);
        digest.update(bytes);
      }
      long value = 0;
      byte[] hash = digest.digest();
      for (int i = 0; i < Long.BYTES; i++) {
        value = value << Byte.SIZE | (hash[i] & 0xff);
      }
      return new AdvisoryKey(value);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  public int high() {
    return (int) (value >> Integer.SIZE);
  }

  public int low() {
    return (int) value;
  }

  /** As a notification carries it. */
  public String payload() {
    return Long.toString(value);
  }
}
