/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.connect.PgConnection;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvolvedSessionsTest {

  private final ServerSession former = session(1);
  private final ServerSession present = session(2);
  private final InvolvedSessions involved = new InvolvedSessions();

  private static ServerSession session(int process) {
    return new ServerSession(new PgConnection.Identity(process, 0, 0));
  }

  @Test
  void thoseBeforeThePresentOneAreToldApart() {
    involved.add(former);
    involved.add(present);
    assertEquals(List.of(former), involved.before(present));
    involved.remove(former);
    assertEquals(List.of(), involved.before(present));
    assertFalse(involved.isEmpty());
  }

  /** One answer is enough for all that was sent to a session. */
  @Test
  void aSessionIsInvolvedOnce() {
    assertTrue(involved.isEmpty());
    involved.add(present);
    involved.add(present);
    assertFalse(involved.isEmpty());
    involved.remove(present);
    assertTrue(involved.isEmpty());
  }
}
