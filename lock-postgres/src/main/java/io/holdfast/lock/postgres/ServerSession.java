/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

/** One session of the server, as long as it matters what may have come of it. */
class ServerSession {

  private final PgConnection.Identity identity;
  private boolean gone;

  ServerSession(PgConnection.Identity identity) {
    this.identity = identity;
  }

  final PgConnection.Identity identity() {
    return identity;
  }

  /** The server does not know it any more. */
  final void setGone() {
    gone = true;
  }

  final boolean isGone() {
    return gone;
  }
}
