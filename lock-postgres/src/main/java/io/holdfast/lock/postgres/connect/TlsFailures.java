/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import io.holdfast.lock.spi.support.Failures;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Tells failures with certificates; they recur, however often it is tried. */
final class TlsFailures {

  private static final String OF_SERVER =
      "the server's certificate is refused, or cannot be checked; check 'sslmode' and 'sslrootcert'"
          + " in the url, and the name of the host";
  private static final String OF_CLIENT =
      "the server wants a client certificate that it accepts; set 'sslcert' and 'sslkey' in the url";

  private TlsFailures() {}

  /** Advice for a failure of TLS. */
  static Optional<String> hint(SQLException failure) {
    if (told(failure).contains("client certificate")
        || Failures.causes(failure).stream().anyMatch(TlsFailures::isRefusalOfOurs)) {
      return Optional.of(OF_CLIENT);
    }
    return Failures.causes(failure).stream().anyMatch(TlsFailures::isRefusalOfTheirs)
        ? Optional.of(OF_SERVER)
        : Optional.empty();
  }

  /**
   * Refused by this side: by the chain of trust, the name, or as nothing is there to check it by.
   */
  private static boolean isRefusalOfTheirs(Throwable cause) {
    return cause instanceof GeneralSecurityException
        || told(cause).contains("hostnameverifier")
        || told(cause).contains("hostname verification")
        || told(cause).contains("root certificate");
  }

  /** Refused by the other side, which says so in an alert. */
  private static boolean isRefusalOfOurs(Throwable cause) {
    return cause instanceof SSLException
        && Stream.of("certificate", "unknown_ca", "handshake_failure", "access_denied")
            .anyMatch(
                alert -> told(cause).contains("fatal alert: ") && told(cause).contains(alert));
  }

  private static String told(Throwable failure) {
    return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
  }
}
