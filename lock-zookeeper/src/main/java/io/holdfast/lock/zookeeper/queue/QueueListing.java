/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The queue of one name, as a listing of its children shows it. Children whose names are not of our
 * form ({@link QueueNode}) are not in the queue. The capacity of the first counts. A node that asks
 * for another may not have been refused yet, and may be granted when it becomes the first: all that
 * are behind wait until it has gone.
 */
public final class QueueListing {

  private final List<String> names;

  public QueueListing(List<String> names) {
    this.names = names;
  }

  /** All that were listed. */
  public List<String> names() {
    return List.copyOf(names);
  }

  public boolean contains(String name) {
    return names.contains(name);
  }

  /** The one that everybody else is behind, if there is any. */
  public Optional<QueueNode> first() {
    return names.stream()
        .flatMap(name -> QueueNode.of(name).stream())
        .min(Comparator.comparingInt(QueueNode::sequence));
  }

  /** The capacity of the first, if the given one asks for another. */
  public OptionalInt otherCapacity(String name) {
    int own = QueueNode.of(name).orElseThrow().share().capacity();
    int inUse = first().orElseThrow().share().capacity();
    return own == inUse ? OptionalInt.empty() : OptionalInt.of(inUse);
  }

  /**
   * The nodes to watch: those ahead that leave too little of the capacity, even if all others ahead
   * go. They are the nearest, as these stay the longest; and one only if that leaves too little by
   * itself, as a writer does to a reader, and any node ahead to a writer or a lock. A node of
   * another capacity leaves nothing.
   *
   * @return none if it fits together with all ahead: then it is granted
   */
  public List<String> blockers(String name) {
    QueueNode own = QueueNode.of(name).orElseThrow();
    int room = own.share().capacity() - own.share().permits();
    List<String> blockers = new ArrayList<>();
    long taken = 0;
    for (QueueNode other : ahead(own)) {
      int permits = other.share().permits();
      if (other.share().capacity() != own.share().capacity() || permits > room) {
        return List.of(other.name());
      }
      blockers.add(other.name());
      taken += permits;
      if (taken > room) {
        return blockers;
      }
    }
    return List.of();
  }

  /** The nearest first. */
  private List<QueueNode> ahead(QueueNode own) {
    return names.stream()
        .flatMap(name -> QueueNode.of(name).stream())
        .filter(other -> other.sequence() < own.sequence())
        .sorted(Comparator.comparingInt(QueueNode::sequence).reversed())
        .toList();
  }

  /**
   * The nodes that are granted, in the order of the queue: all from the first on who fit together,
   * up to a node of another capacity.
   */
  public List<QueueNode> holders() {
    List<QueueNode> holders = new ArrayList<>();
    long taken = 0;
    for (QueueNode node : inOrder()) {
      int capacity = node.share().capacity();
      taken += node.share().permits();
      if (taken > capacity
          || (!holders.isEmpty() && holders.get(0).share().capacity() != capacity)) {
        return holders;
      }
      holders.add(node);
    }
    return holders;
  }

  private List<QueueNode> inOrder() {
    return names.stream()
        .flatMap(name -> QueueNode.of(name).stream())
        .sorted(Comparator.comparingInt(QueueNode::sequence))
        .toList();
  }

  /** Every node of an owner but one. */
  public List<String> othersOf(String prefix, String but) {
    return names.stream().filter(name -> name.startsWith(prefix) && !name.equals(but)).toList();
  }

  /** The number that the server gave to one of that name, if it is of our form and has a place. */
  public static Optional<Integer> sequence(String name) {
    return QueueNode.of(name).map(QueueNode::sequence);
  }
}
