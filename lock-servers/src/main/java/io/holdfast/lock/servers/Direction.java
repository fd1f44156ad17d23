/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

/** A direction through a {@link TcpProxy}. */
public enum Direction {
  /** From clients. */
  TO_SERVER,
  /** From the server. */
  TO_CLIENT
}
