/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.lettuce.core.cluster.models.slots.ClusterSlotRange;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A cluster as one of its servers sees it. One that has left the cluster, or is cut off from it,
 * still answers, but says that it is not well, or knows of older epochs only than the others.
 *
 * @param isWell whether the server takes requests
 * @param epoch the newest that it knows of; each fail-over and each move of a slot makes a new one
 * @param slots who has them
 */
record ClusterView(boolean isWell, long epoch, List<ClusterSlotRange> slots) {

  /** The last is to be believed. */
  static final Comparator<ClusterView> BY_TRUST =
      Comparator.comparing(ClusterView::isWell).thenComparingLong(ClusterView::epoch);

  static ClusterView of(String info, List<ClusterSlotRange> slots) {
    Optional<String> state = RedisInfo.field(info, "cluster_state");
    Optional<String> epoch = RedisInfo.field(info, "cluster_current_epoch");
    return new ClusterView(
        state.filter("ok"::equals).isPresent(), epoch.map(Long::parseLong).orElse(0L), slots);
  }
}
