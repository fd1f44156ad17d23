/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.StatusResponse;
import io.holdfast.lock.health.Finding;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests which members can be compared: those of a busy cluster are at different places all the
 * time.
 */
class MemberConsistencyTest {

  private final MemberConsistency members = new MemberConsistency();

  private static StatusResponse said(long revision, long committed, long carriedOut) {
    return StatusResponse.newBuilder()
        .setHeader(ResponseHeader.newBuilder().setRevision(revision))
        .setRaftIndex(committed)
        .setRaftAppliedIndex(carriedOut)
        .build();
  }

  private void add(String where, StatusResponse twice) {
    members.add(where, twice, twice);
  }

  private Optional<Finding.Severity> found() {
    return members.finding().map(Finding::severity);
  }

  @Test
  void membersAtOnePlaceHaveOneRevision() {
    add("a", said(7, 100, 100));
    assertEquals(Optional.empty(), found());
    add("b", said(7, 100, 100));
    assertEquals(Optional.of(Finding.Severity.OK), found());
    add("c", said(8, 100, 100));
    assertEquals(Optional.of(Finding.Severity.BROKEN), found());
    String text = members.finding().orElseThrow().text();
    assertTrue(text.contains("a is at revision 7, b is at revision 7, c is at revision 8"), text);
  }

  @Test
  void membersAtDifferentPlacesAreNotCompared() {
    add("a", said(7, 100, 100));
    add("b", said(8, 101, 101));
    assertEquals(Optional.empty(), found());
  }

  /** Its revision may be older than the place that it names, which it reads afterwards. */
  @Test
  void aMemberThatIsWrittenToIsNotCompared() {
    add("a", said(7, 100, 100));
    members.add("b", said(6, 99, 99), said(6, 100, 100));
    members.add("c", said(6, 100, 100), said(6, 101, 100));
    assertEquals(Optional.empty(), found());
  }

  /** Some versions do not tell. */
  @Test
  void aMemberThatTellsNoPlaceIsNotCompared() {
    add("a", said(7, 0, 0));
    add("b", said(8, 0, 0));
    assertEquals(Optional.empty(), found());
  }

  @Test
  void agreementElsewhereHidesNoDisagreement() {
    add("a", said(7, 100, 100));
    add("b", said(8, 100, 100));
    for (String where : new String[] {"c", "d", "e"}) {
      add(where, said(9, 101, 101));
    }
    assertEquals(Optional.of(Finding.Severity.BROKEN), found());
  }
}
