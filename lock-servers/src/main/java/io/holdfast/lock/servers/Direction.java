/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

/** A direction through a {@link TcpProxy}. */
public enum Direction {
  /** What clients send. */
  TO_SERVER,
  /** What the server answers. */
  TO_CLIENT
}
