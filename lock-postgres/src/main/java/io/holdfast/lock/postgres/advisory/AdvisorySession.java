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
import org.jspecify.annotations.Nullable;

/**
 * One session of the server, and what claims have in it. A lock is reentrant within a session at
 * the server, so this remembers which claim holds which key. For the worker's thread.
 */
final class AdvisorySession extends ServerSession {

  private final Map<Long, AdvisoryClaim> holders = new HashMap<>();
  private final Set<AdvisoryClaim> claims = new HashSet<>();

  AdvisorySession(PgConnection.Identity identity) {
    super(identity);
  }

  @Nullable AdvisoryClaim holder(AdvisoryKey key) {
    return holders.get(key.value());
  }

  /** The keys of what is held, and not being given back. */
  long[] held() {
    return holders.values().stream()
        .filter(claim -> !claim.isReleasing())
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

  void remove(AdvisoryClaim claim) {
    holders.remove(claim.key().value(), claim);
    claims.remove(claim);
  }

  @Override
  protected void ended() {
    Set.copyOf(claims).forEach(AdvisoryClaim::sessionEnded);
  }
}
