/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The sessions in which something of a claim is, or may still come to be, as a request was never
 * answered. For the worker's thread.
 */
public final class InvolvedSessions {

  /** Hardly ever more than one. */
  private final List<ServerSession> sessions = new ArrayList<>(1);

  /** Before a request is sent there. */
  public void add(ServerSession session) {
    if (!sessions.contains(session)) {
      sessions.add(session);
    }
  }

  /** It was answered, and left nothing there. */
  public void remove(ServerSession session) {
    sessions.remove(session);
  }

  /** Whether every request was answered. */
  public boolean isEmpty() {
    return sessions.isEmpty();
  }

  /** Those other than the present one. */
  List<ServerSession> before(ServerSession present) {
    return sessions.stream().filter(session -> !session.equals(present)).toList();
  }
}
