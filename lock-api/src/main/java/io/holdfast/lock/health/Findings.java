/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.health;

import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Findings for backends that have the same kind of servers. */
public final class Findings {

  private static final int FEWEST = 3;
  private static final Pattern LOOPBACK =
      Pattern.compile("(localhost|127(\\.\\d+){3}|::1|\\[::1])(:\\d+)?", Pattern.CASE_INSENSITIVE);

  private Findings() {}

  /**
   * How many servers may fail where a majority has to be there.
   *
   * @param servers how many there are
   * @param noun what one of them is called
   * @return a warning if none may
   */
  public static Finding majority(int servers, String noun) {
    return servers < FEWEST
        ? Finding.warning(
            Promise.AVAILABILITY,
            "With %d %s(s), the failure of any one stops all locks".formatted(servers, noun),
            "Use three or five %ss, on hosts that do not fail together.".formatted(noun))
        : Finding.ok(
            Promise.AVAILABILITY,
            "%d of %d %ss may fail".formatted((servers - 1) / 2, servers, noun));
  }

  /**
   * When a lock is free that ends with a session.
   *
   * @param beginning of the sentence, up to "free"
   * @param session after which time the server ends it
   * @param ttl that locks will have
   * @param remedy if the session takes longer
   * @return a warning then
   */
  public static Finding freeAfterSession(
      String beginning, Duration session, Duration ttl, String remedy) {
    String text = "%s after the session time-out of %s".formatted(beginning, TimeText.of(session));
    return session.compareTo(ttl) > 0
        ? Finding.warning(
            Promise.TAKE_OVER,
            "%s, not after the TTL of %s".formatted(text, TimeText.of(ttl)),
            remedy)
        : Finding.ok(Promise.TAKE_OVER, text);
  }

  /**
   * A password goes to a server without TLS.
   *
   * @param where host, or host and port, as configured; nothing is looked up
   * @param remedy what to do
   * @return a warning; empty if the host is this one
   */
  public static Optional<Finding> passwordInPlain(String where, String remedy) {
    return LOOPBACK.matcher(where).matches()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                Promise.ACCESS,
                "The password goes to %s without TLS: anybody on the way can read it"
                    .formatted(where),
                remedy));
  }
}
