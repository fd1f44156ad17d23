/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.sql.SQLException;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests whose certificate was refused, by the driver's message. */
class TlsFailuresTest {

  private static SQLException of(Throwable cause) {
    return new SQLException("SSL error", "08006", new IOException("wrapped", cause));
  }

  private static void says(String setting, SQLException failure) {
    String told = TlsFailures.hint(failure).orElse("nothing");
    assertTrue(told.contains(setting), told);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bad_certificate",
        "certificate_required",
        "certificate_unknown",
        "unknown_ca",
        "handshake_failure",
        "access_denied"
      })
  void theServerRefusesOurs(String alert) {
    says("'sslcert'", of(new SSLHandshakeException("Received fatal alert: " + alert)));
  }

  @Test
  void theServerSaysThatItMissesOurs() {
    says("'sslcert'", new SQLException("connection requires a valid client certificate", "28000"));
  }

  @Test
  void itsOwnIsNotTrusted() {
    says("'sslrootcert'", of(new CertPathValidatorException("no trusted path")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The hostname db could not be verified by hostnameverifier PgjdbcHostnameVerifier.",
        "Hostname verification failed: no subject alternative names",
        "Could not open SSL root certificate file /nowhere/root.crt."
      })
  void itsOwnCannotBeChecked(String message) {
    says("'sslrootcert'", of(new SQLException(message, "08006")));
  }

  @Test
  void failuresWithoutAHint() {
    assertEquals(
        Optional.empty(),
        TlsFailures.hint(of(new SSLHandshakeException("Received fatal alert: internal_error"))));
    assertEquals(Optional.empty(), TlsFailures.hint(of(new IOException("access_denied"))));
    assertEquals(Optional.empty(), TlsFailures.hint(new SQLException()));
  }

  @Test
  void causesThatLeadBackToTheirBeginning() {
    IOException inner = new IOException("inner");
    SQLException outer = new SQLException("outer", "08006", inner);
    inner.initCause(outer);
    assertEquals(Optional.empty(), TlsFailures.hint(outer));
  }
}
