/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.session.ServerSession;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One session of the server, and what claims have in it. A lock is reentrant within a session at
 * the server, so this remembers which claim holds which key. For the worker's thread.
 */
final class AdvisorySession extends ServerSession {

  private final Map<Long, AdvisoryClaim> holders = new HashMap<>();
  private final Map<Long, Set<AdvisoryClaim>> shares = new HashMap<>();
  private final Set<AdvisoryClaim> claims = new HashSet<>();

  AdvisorySession(PgConnection.Identity identity) {
    super(identity);
  }

  /** Whether a claim fits together with what others of this session hold, or wait for before. */
  boolean hasRoom(AdvisoryClaim claim) {
    AdvisoryClaim holder = holders.get(claim.key().value());
    return (holder == null || claim.isShared())
        && (!claim.isShared() || inTheWay(claim).allMatch(claim::fitsBeside));
  }

  /** Whether this session uses the name with another capacity. */
  boolean isOfOtherCapacity(AdvisoryClaim claim) {
    return claim.isShared()
        ? holders.containsKey(claim.key().value())
        : inTheWay(claim).findAny().isPresent();
  }

  private Stream<AdvisoryClaim> inTheWay(AdvisoryClaim claim) {
    return sharing(claim).filter(AdvisoryClaim::keepsOut);
  }

  private Stream<AdvisoryClaim> sharing(AdvisoryClaim claim) {
    return shares.getOrDefault(claim.key().value(), Set.of()).stream();
  }

  /** Whether another claim of this session reads, so that the session has the key already. */
  boolean readsBeside(AdvisoryClaim claim) {
    return sharing(claim).anyMatch(other -> other != claim && other.holds() && !other.writes());
  }

  /** Of those that are released, one for each key that nobody of this session holds afterwards. */
  Set<AdvisoryClaim> lastOf(Set<AdvisoryClaim> released) {
    Set<AdvisoryKey> keys = new HashSet<>();
    return released.stream()
        .filter(AdvisoryClaim::holds)
        .filter(claim -> sharing(claim).filter(AdvisoryClaim::holds).allMatch(released::contains))
        .filter(claim -> keys.add(claim.key()))
        .collect(Collectors.toSet());
  }

  /** Whether no claim but these waits for a key that one of these has asked for. */
  boolean waitAlone(Set<AdvisoryClaim> asked) {
    Set<AdvisoryKey> keys =
        asked.stream()
            .filter(claim -> !claim.holds())
            .map(AdvisoryClaim::key)
            .collect(Collectors.toSet());
    return claims.stream()
        .filter(other -> keys.contains(other.key()) && !asked.contains(other))
        .allMatch(AdvisoryClaim::holds);
  }

  /** The keys of what is held, and not being given back. */
  long[] held() {
    return claims.stream()
        .filter(claim -> claim.holds() && !claim.isReleasing())
        .mapToLong(claim -> claim.key().value())
        .toArray();
  }

  void granted(AdvisoryClaim claim, long token, boolean marked) {
    holders.put(claim.key().value(), claim);
    claims.add(claim);
    claim.granted(this, token, marked);
  }

  void waits(AdvisoryClaim claim) {
    claims.add(claim);
    claim.waits(this);
  }

  void grantedShare(AdvisoryClaim claim, long token) {
    addShare(claim);
    claim.grantedShare(this, token);
  }

  void waitsForShare(AdvisoryClaim claim, boolean turn) {
    addShare(claim);
    claim.waitsForShare(this, turn);
  }

  private void addShare(AdvisoryClaim claim) {
    shares.computeIfAbsent(claim.key().value(), key -> new HashSet<>()).add(claim);
    claims.add(claim);
  }

  void remove(AdvisoryClaim claim) {
    holders.remove(claim.key().value(), claim);
    shares.computeIfPresent(
        claim.key().value(),
        (key, sharing) -> {
          sharing.remove(claim);
          return sharing.isEmpty() ? null : sharing;
        });
    claims.remove(claim);
  }

  /** All that it had was taken back. */
  void leftNothing(AdvisoryClaim claim) {
    remove(claim);
    claim.leftNothing(this);
  }

  @Override
  protected void ended() {
    Set.copyOf(claims).forEach(AdvisoryClaim::sessionEnded);
  }
}
