/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the causes of a failure, exceptions of the JDK, tell about it. */
class OutageTest {

  private static Throwable wrapped(Throwable cause) {
    return new IllegalStateException("of a driver", new IOException("of its network", cause));
  }

  @Test
  void theReasonIsTakenFromTheCauses() {
    assertEquals(
        Optional.of("unknown host: redis.exmaple"),
        Outage.reason(wrapped(new UnknownHostException("redis.exmaple"))));
    assertEquals(
        Optional.of("Connection refused"),
        Outage.reason(wrapped(new ConnectException("Connection refused"))));
    assertEquals(
        Optional.of("No route to host"),
        Outage.reason(wrapped(new NoRouteToHostException("No route to host"))));
    assertEquals(
        Optional.of("the server there does not use TLS"),
        Outage.reason(wrapped(new NotSslRecordException())));
  }

  @Test
  void ofOtherFailuresNoReasonIsKnown() {
    assertEquals(Optional.empty(), Outage.reason(wrapped(new ConnectException())));
    assertEquals(Optional.empty(), Outage.reason(wrapped(new IOException("closed"))));
  }

  @Test
  void ofCausesThatGoRoundInACircleNothingIsKnown() {
    IOException inner = new IOException("inner");
    Throwable outer = wrapped(inner);
    inner.initCause(outer);
    assertEquals(Optional.empty(), Outage.reason(outer));
    assertFalse(TlsRefusal.ofServer(outer));
    assertFalse(TlsRefusal.ofClient(outer));
  }

  @Test
  void aCertificateThatIsRefusedHereIsThatOfTheServer() {
    SSLHandshakeException handshake = new SSLHandshakeException("handshake");
    handshake.initCause(new CertificateException("expired"));
    assertTrue(TlsRefusal.ofServer(wrapped(handshake)));
    assertFalse(TlsRefusal.ofServer(wrapped(new SSLHandshakeException("handshake"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bad_certificate",
        "certificate_expired",
        "certificate_required",
        "certificate_revoked",
        "certificate_unknown",
        "unknown_ca"
      })
  void theServerTellsThatItRefusesTheCertificateOfTheClient(String alert) {
    SSLHandshakeException told = new SSLHandshakeException("Received fatal alert: " + alert);
    assertTrue(TlsRefusal.ofClient(wrapped(told)));
    assertFalse(TlsRefusal.ofServer(wrapped(told)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"handshake_failure", "protocol_version", "internal_error"})
  void otherAlertsAreNotAboutACertificate(String alert) {
    assertFalse(
        TlsRefusal.ofClient(wrapped(new SSLHandshakeException("Received fatal alert: " + alert))));
    assertFalse(TlsRefusal.ofClient(wrapped(new SSLHandshakeException(null))));
  }

  /** Named as that of Netty. */
  private static final class NotSslRecordException extends IOException {
    private static final long serialVersionUID = 1;
  }
}
