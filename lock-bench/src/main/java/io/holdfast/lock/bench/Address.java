/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.Arrays;
import java.util.List;

/**
 * The addresses of a backend's servers.
 *
 * @param hosts each as {@code host:port}
 */
record Address(List<String> hosts) {

  /** The inverse of {@link #toString()}. */
  static Address parse(String text) {
    return new Address(Arrays.asList(text.split(",", -1)));
  }

  String first() {
    return hosts.get(0);
  }

  /** Each with what is to be in front of it, such as {@code redis://}. */
  List<String> uris(String scheme) {
    return hosts.stream().map(host -> scheme + host).toList();
  }

  @Override
  public String toString() {
    return String.join(",", hosts);
  }
}
