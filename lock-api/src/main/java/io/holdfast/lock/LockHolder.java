/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The holder of a lock when the server was asked. It may have changed since, so do not decide by
 * it. A field that the backend cannot tell is empty ({@link
 * io.holdfast.lock.Capabilities#inspection()}).
 *
 * @param lockName the lock
 * @param ownerId of its lease, as {@link Lease#ownerId()} gives it
 * @param fencingToken of its lease. If a client passes the lock on among its own waiters, the token
 *     of the first of those leases
 * @param session what keeps the lease alive at the server, if that is a session, a connection or a
 *     transaction: as an administrator of the server would look for it
 * @param expiresIn after which time without a renewal the server gives the lock away, where each
 *     lock has a time of its own
 * @param share what it holds of the name; all of the capacity if that was made smaller than what it
 *     holds ({@link LockInspector#changeCapacity})
 */
public record LockHolder(
    String lockName,
    Optional<String> ownerId,
    OptionalLong fencingToken,
    Optional<String> session,
    Optional<Duration> expiresIn,
    Share share) {

  /** A name, 128 random bits and a number: what the engine makes. */
  private static final Pattern MADE_HERE = Pattern.compile("(.*)-[A-Za-z0-9_-]{22}-[0-9]+");

  /** Checks that nothing is null, and that it names somebody. */
  public LockHolder {
    Objects.requireNonNull(lockName, "lockName");
    Objects.requireNonNull(ownerId, "ownerId");
    Objects.requireNonNull(fencingToken, "fencingToken");
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(expiresIn, "expiresIn");
    Objects.requireNonNull(share, "share");
    if (ownerId.isEmpty() && session.isEmpty()) {
      throw new IllegalArgumentException(
          "ownerId or session must be there: a holder of '%s' has neither"
              .formatted(VisibleText.of(lockName)));
    }
  }

  /**
   * The holder of a lock: 1 of 1.
   *
   * @param lockName as above
   * @param ownerId as above
   * @param fencingToken as above
   * @param session as above
   * @param expiresIn as above
   */
  public LockHolder(
      String lockName,
      Optional<String> ownerId,
      OptionalLong fencingToken,
      Optional<String> session,
      Optional<Duration> expiresIn) {
    this(lockName, ownerId, fencingToken, session, expiresIn, Share.LOCK);
  }

  /**
   * The name of its client, as a label for people: what {@link ClientOptions#clientName()} or the
   * setting {@code client-name} says there, otherwise its host name and process id. Characters
   * other than letters, digits, dots, underscores and hyphens were replaced. Two clients may have
   * the same name.
   *
   * @return empty if there is no owner id, or if it was not made by this library
   */
  public Optional<String> clientName() {
    return ownerId.map(MADE_HERE::matcher).filter(Matcher::matches).map(found -> found.group(1));
  }

  /** One line, with control characters escaped. */
  @Override
  public String toString() {
    return VisibleText.of(
        "LockHolder[lockName=%s, ownerId=%s, fencingToken=%s, session=%s, expiresIn=%s, share=%s]"
            .formatted(lockName, ownerId, fencingToken, session, expiresIn, share));
  }
}
