/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

/**
 * Something that an administrator or too little of something does to a running server of a kind,
 * which goes on running. Both steps return when they are done.
 *
 * @param name in a word or few, such as {@code out of memory}
 * @param endsConnections whether all clients lose theirs
 * @param begin what is done
 * @param end what ends it
 */
public record ServerFault(String name, boolean endsConnections, Runnable begin, Runnable end) {

  static ServerFault momentary(String name, Runnable what) {
    return new ServerFault(name, false, what, () -> {});
  }

  static ServerFault endOfConnections(Runnable what) {
    return new ServerFault("connections killed", true, what, () -> {});
  }
}
