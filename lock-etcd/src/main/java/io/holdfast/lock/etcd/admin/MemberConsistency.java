/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.admin;

import io.etcd.jetcd.api.StatusResponse;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks whether the members have written the same, as far as it shows without reading it: the
 * revision is a matter of the part of the log that was carried out. They are what decides about
 * locks, and members that disagree give one lock to two.
 *
 * <p>A member says first its revision, then up to where the log is committed, and then up to where
 * it has carried it out (etcd, {@code Maintenance.Status}). If it had come that far by an earlier
 * question and nothing more is committed, its revision is the one of that place; else it is left
 * out.
 */
final class MemberConsistency {

  private final Map<Long, List<Place>> places = new TreeMap<>();

  private record Place(String where, long revision) {}

  /** Adds the two answers of a member that was asked twice. */
  void add(String where, StatusResponse before, StatusResponse after) {
    long carriedOut = after.getRaftAppliedIndex();
    if (carriedOut > 0
        && before.getRaftAppliedIndex() == carriedOut
        && after.getRaftIndex() == carriedOut) {
      places
          .computeIfAbsent(carriedOut, index -> new ArrayList<>())
          .add(new Place(where, after.getHeader().getRevision()));
    }
  }

  /** Empty if no two can be compared. */
  Optional<Finding> finding() {
    return places.values().stream()
        .filter(members -> members.size() > 1)
        .max((one, other) -> Long.compare(revisions(one), revisions(other)))
        .map(MemberConsistency::finding);
  }

  private static long revisions(List<Place> members) {
    return members.stream().mapToLong(Place::revision).distinct().count();
  }

  private static Finding finding(List<Place> members) {
    return revisions(members) == 1
        ? Finding.ok(
            Promise.EXCLUSION,
            "%d members could be compared, and one revision is that of all"
                .formatted(members.size()))
        : Finding.broken(
            Promise.EXCLUSION,
            "The members disagree about what is written, and may grant one lock twice: after the"
                + " same requests, "
                + members.stream()
                    .map(one -> one.where + " is at revision " + one.revision)
                    .collect(Collectors.joining(", ")),
            "Do not use locks of this cluster until the member that differs has been removed and added again"
                + " ('etcdctl endpoint hashkv --cluster'). etcd 3.4 does this after NOSPACE and a"
                + " crash: upgrade it.");
  }
}
