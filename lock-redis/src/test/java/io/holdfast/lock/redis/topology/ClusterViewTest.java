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

  private static void assertIsBelievedOver(String info, String other) {
    assertTrue(ClusterView.BY_TRUST.compare(told(info), told(other)) > 0);
    assertFalse(ClusterView.BY_TRUST.compare(told(other), told(info)) > 0);
  }

  @Test
  void theLastEpochIsBelieved() {
    assertIsBelievedOver(
        "cluster_state:ok\r\ncluster_current_epoch:8\r\n",
        "cluster_state:ok\r\ncluster_current_epoch:7\r\n");
  }

  /** One that is cut off counts epochs that nobody has agreed to. */
  @Test
  void oneThatTakesNoRequestsIsNotBelievedOverOneThatDoes() {
    assertIsBelievedOver(
        "cluster_state:ok\r\ncluster_current_epoch:7\r\n",
        "cluster_state:fail\r\ncluster_current_epoch:8\r\n");
    assertFalse(told("cluster_current_epoch:8\r\n").isWell());
  }

  @Test
  void anEpochThatIsNotToldIsTheFirst() {
    assertEquals(0, told("cluster_state:ok\r\n").epoch());
  }
}
