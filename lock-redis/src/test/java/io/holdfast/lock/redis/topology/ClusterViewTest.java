/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which of several views of a cluster is believed. */
class ClusterViewTest {

  private static ClusterView told(String info) {
    return ClusterView.of(info, List.of(), Optional.of("own"));
  }

  private static boolean isBelievedOver(String info, String other) {
    return ClusterView.BY_TRUST.compare(told(info), told(other)) > 0;
  }

  @Test
  void theLastEpochIsBelieved() {
    String older = "cluster_state:ok\r\ncluster_current_epoch:7\r\n";
    String newer = "cluster_state:ok\r\ncluster_current_epoch:8\r\n";
    assertTrue(isBelievedOver(newer, older));
    assertFalse(isBelievedOver(older, newer));
  }

  /** One that is cut off counts epochs that nobody has agreed to. */
  @Test
  void oneThatTakesNoRequestsIsNotBelievedOverOneThatDoes() {
    String well = "cluster_state:ok\r\ncluster_current_epoch:7\r\n";
    String unwell = "cluster_state:fail\r\ncluster_current_epoch:8\r\n";
    assertTrue(isBelievedOver(well, unwell));
    assertFalse(isBelievedOver(unwell, well));
    assertFalse(told("cluster_current_epoch:8\r\n").isWell());
  }

  @Test
  void anEpochThatIsNotToldIsTheFirst() {
    assertEquals(0, told("cluster_state:ok\r\n").epoch());
  }
}
