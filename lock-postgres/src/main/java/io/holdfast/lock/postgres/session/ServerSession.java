/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.postgres.connect.PgConnection;

/** One session of the server, as long as it matters what may have come of it. */
public class ServerSession {

  private final PgConnection.Identity identity;
  private boolean gone;

  /** A session that has begun. */
  public ServerSession(PgConnection.Identity identity) {
    this.identity = identity;
  }

  final PgConnection.Identity identity() {
    return identity;
  }

  /** It has ended, or is given up: tells those who had something in it. */
  protected void ended() {
    // Nothing that is known here was in it.
  }

  /** The server does not know it any more. */
  final void setGone() {
    gone = true;
  }

  final boolean isGone() {
    return gone;
  }
}
