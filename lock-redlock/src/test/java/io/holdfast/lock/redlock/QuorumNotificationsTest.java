/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests when three nodes may be free. There are none to listen at here: the test tells of releases.
 */
class QuorumNotificationsTest {

  private final CountedWakeUps wakeUps = new CountedWakeUps();

  private final QuorumNotifications notifications =
      new QuorumNotifications(List.of(), 3, "lock:a", "owner", wakeUps);

  @Test
  void theWaiterIsWokenOnceForEachQuorum() {
    notifications.open();
    notifications.listen(Set.of(0));
    notifications.told(0);
    notifications.told(1);
    assertEquals(0, wakeUps.get());
    notifications.told(2);
    assertEquals(1, wakeUps.get());
    notifications.told(3);
    notifications.told(4);
    assertEquals(1, wakeUps.get());
  }

  @Test
  void aNotificationBeforeTheAttemptHasFailedCounts() {
    notifications.open();
    notifications.told(2);
    notifications.told(3);
    assertEquals(0, wakeUps.get());
    notifications.listen(Set.of(0, 1));
    assertEquals(1, wakeUps.get());
    notifications.told(4);
    assertEquals(1, wakeUps.get());
  }

  @Test
  void aNotificationBeforeTheAttemptDoesNotCount() {
    notifications.told(2);
    notifications.told(3);
    notifications.open();
    notifications.listen(Set.of(0, 1));
    assertEquals(0, wakeUps.get());
  }
}
