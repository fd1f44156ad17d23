/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The locks of a run.
 *
 * @param mark in all of them, so that nobody else's are touched
 */
record LockNames(String mark) {

  private static final int BRISK = 3;
  private static final int SLOW = 2;
  private static final int PERMITS = 3;

  /** Which all contend for, and hold for moments. */
  List<String> brisk() {
    return numbered("b", BRISK);
  }

  /** Which all contend for, and hold for long. */
  List<String> slow() {
    return numbered("s", SLOW);
  }

  /** Of some parties. */
  List<String> kept(List<String> parties) {
    return parties.stream().map(this::kept).toList();
  }

  /** Of a party, whichever process it has now: held nearly all the time. */
  String kept(String clientProcess) {
    return "k-" + clientProcess + "-" + mark;
  }

  /**
   * Of one process, which never comes back: so whatever is left of it was left by that process, and
   * keeps out nobody else.
   */
  String own(String process) {
    return "o-" + process + "-" + mark;
  }

  /**
   * Several locks at once, and what shares a backend has: each name is always asked for the same
   * capacity.
   */
  List<LockRequest> severalAndShared(Capabilities.Sharing sharing) {
    List<LockRequest> wanted = new ArrayList<>();
    List<String> brisk = brisk();
    wanted.add(new LockRequest(brisk.subList(0, 2), Share.LOCK));
    wanted.add(new LockRequest(brisk, Share.LOCK));
    if (sharing != Capabilities.Sharing.NONE) {
      List<String> files = List.of("rw-" + mark);
      wanted.addAll(
          List.of(new LockRequest(files, Share.READ), new LockRequest(files, Share.READ)));
      wanted.add(new LockRequest(files, Share.WRITE));
    }
    if (sharing.hasSemaphores()) {
      List<String> places = List.of("p-" + mark);
      wanted.add(new LockRequest(places, Share.of(1, PERMITS)));
      wanted.add(new LockRequest(places, Share.of(2, PERMITS)));
    }
    return wanted;
  }

  /** The names of those that several may have at once. */
  List<String> shared(Capabilities.Sharing sharing) {
    return severalAndShared(sharing).stream()
        .filter(wanted -> wanted.share().capacity() > 1)
        .flatMap(wanted -> wanted.names().stream())
        .distinct()
        .toList();
  }

  /** The locks of all parties. */
  List<String> lasting(List<String> parties) {
    return Stream.of(brisk(), slow(), kept(parties)).flatMap(List::stream).toList();
  }

  private List<String> numbered(String letter, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> letter + i + "-" + mark).toList();
  }
}
