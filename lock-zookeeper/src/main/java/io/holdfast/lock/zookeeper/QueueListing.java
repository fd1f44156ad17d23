/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The queue of one lock, as a listing of its children shows it. Children whose names are not of our
 * form are not in the queue.
 *
 * <p>The server counts up to 2<sup>31</sup> - 1, and goes on to give that number, or negative ones,
 * to all that come after ({@code DataTree.createNode} in ZooKeeper): those have no place in a
 * queue.
 */
final class QueueListing {

  private static final Pattern NAME = Pattern.compile("[^~]*~(\\d{10})");

  private final List<String> names;

  QueueListing(List<String> names) {
    this.names = names;
  }

  /** All that were listed. */
  List<String> names() {
    return List.copyOf(names);
  }

  boolean contains(String name) {
    return names.contains(name);
  }

  /** The one that everybody else is behind, if there is any. */
  Optional<String> first() {
    String first = null;
    int lowest = 0;
    for (String name : names) {
      Optional<Integer> sequence = sequence(name);
      if (sequence.isPresent() && (first == null || sequence.get() < lowest)) {
        first = name;
        lowest = sequence.get();
      }
    }
    return Optional.ofNullable(first);
  }

  /** The last one before the given one, if there is any. */
  Optional<String> ahead(String name) {
    int own = sequence(name).orElseThrow();
    String nearest = null;
    int highest = -1;
    for (String other : names) {
      Optional<Integer> sequence = sequence(other);
      if (sequence.isPresent() && sequence.get() < own && sequence.get() > highest) {
        nearest = other;
        highest = sequence.get();
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Every node of an owner but one. */
  List<String> strays(String prefix, String but) {
    List<String> found = new ArrayList<>();
    for (String name : names) {
      if (name.startsWith(prefix) && !name.equals(but)) {
        found.add(name);
      }
    }
    return found;
  }

  /** The number that the server gave to one of that name, if it is of our form and has a place. */
  static Optional<Integer> sequence(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return number < Integer.MAX_VALUE ? Optional.of((int) number) : Optional.empty();
  }
}
