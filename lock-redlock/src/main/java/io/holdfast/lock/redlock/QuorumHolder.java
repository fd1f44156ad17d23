/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.redis.node.KeyHolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the holder of a lock by the word of a quorum, as the nodes answer one after another. It
 * sends nothing, waits for nothing, and knows no clock. For one thread at a time.
 */
final class QuorumHolder {

  private final int nodes;
  private final int quorum;
  private final Map<String, List<Optional<Duration>>> holders = new HashMap<>();
  private final List<LockException> failures = new ArrayList<>();
  private int answers;

  QuorumHolder(int nodes) {
    this.nodes = nodes;
    this.quorum = Ballot.quorumOf(nodes);
  }

  void answered(Optional<KeyHolder> found) {
    answers++;
    found.ifPresent(
        key ->
            holders.computeIfAbsent(key.owner(), owner -> new ArrayList<>()).add(key.expiresIn()));
  }

  void failed(LockException why) {
    failures.add(why);
  }

  List<LockException> failures() {
    return failures;
  }

  /** The holder at a quorum, until it is no quorum any more without a renewal. */
  Optional<KeyHolder> holder() {
    return holders.entrySet().stream()
        .filter(entry -> entry.getValue().size() >= quorum)
        .map(entry -> new KeyHolder(entry.getKey(), lasting(entry.getValue())))
        .findFirst();
  }

  /** Whether no answer that is missing can make somebody the holder. */
  boolean isFree() {
    int most = holders.values().stream().mapToInt(List::size).max().orElse(0);
    return most + nodes - answers < quorum;
  }

  /** Whether all nodes have answered or failed. */
  boolean isComplete() {
    return answers + failures.size() == nodes;
  }

  /** A key without a TTL stays for ever. */
  private Optional<Duration> lasting(List<Optional<Duration>> left) {
    List<Duration> ending = new ArrayList<>(left.stream().flatMap(Optional::stream).toList());
    int forEver = left.size() - ending.size();
    if (forEver >= quorum) {
      return Optional.empty();
    }
    ending.sort(Collections.reverseOrder());
    return Optional.of(ending.get(quorum - forEver - 1));
  }
}
