/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.security.cert.CertificateException;
import java.util.regex.Pattern;

/** Tells a certificate that is refused from an outage: trying again does not help. */
public final class TlsRefusal {

  /** Servers differ in what they say to a client without a certificate. */
  private static final Pattern ALERT =
      Pattern.compile("fatal alert: (bad_certificate|certificate_\\w+|unknown_ca)");

  private TlsRefusal() {}

  /**
   * Whether this side refused the server's certificate, or its host's name.
   *
   * @param failure of a client
   * @return whether it says so, somewhere among its causes
   */
  public static boolean ofServer(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      if (at instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the server refused the certificate of this side, or got none. It says so with an alert
   * of TLS.
   *
   * @param failure of a client
   * @return whether it says so, somewhere among its causes
   */
  public static boolean ofClient(Throwable failure) {
    for (Throwable at : Failures.causes(failure)) {
      if (ALERT.matcher(String.valueOf(at.getMessage())).find()) {
        return true;
      }
    }
    return false;
  }
}
