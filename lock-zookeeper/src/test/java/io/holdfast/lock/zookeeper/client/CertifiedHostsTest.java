/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Under which name a server is connected to whose certificate is for another host. */
class CertifiedHostsTest {

  /** Of an IP address, and of a name with an asterisk. */
  private static final String NAMES =
      """
      -----BEGIN CERTIFICATE-----
      MIIBbDCCAROgAwIBAgIJALi5CTEaB+YbMAoGCCqGSM49BAMCMBoxGDAWBgNVBAMT
      D2lnbm9yZWQuZXhhbXBsZTAgFw0yNjExMjgxODUwNTRaGA8yMTI2MTEwNDE4NTA1
      NFowGjEYMBYGA1UEAxMPaWdub3JlZC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZI
      zj0DAQcDQgAEhJECkUt9LmYbXpj8deTShwm8KUVjIMhxWMyRC2S034pU+joQ24sR
      HSZuJtmAS5Ya+ZJxtrtKn17H2LweptagraNAMD4wHQYDVR0OBBYEFGkMg0oraz/o
      h9AzzBkl8bdAE4QNMB0GA1UdEQQWMBSHBMAAAgGCDCouemsuZXhhbXBsZTAKBggq
      hkjOPQQDAgNHADBEAiAH8WSZAuiDel7GxcGSErSkHYg6J/xP51YtI84ZKPFF8AIg
      drfn/VlwvPXhzCxW2TH+sG3If39atsbDwwkbrJ3JeYg=
      -----END CERTIFICATE-----
      """;

  private static final String ADDRESS =
      """
      -----BEGIN CERTIFICATE-----
      MIIBXjCCAQSgAwIBAgIIOXuScqycBPswCgYIKoZIzj0EAwIwGjEYMBYGA1UEAxMP
      aWdub3JlZC5leGFtcGxlMCAXDTI2MTEyODE4NTA1NVoYDzIxMjYxMTA0MTg1MDU1
      WjAaMRgwFgYDVQQDEw9pZ25vcmVkLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAASOPBrr9+0QVtvsE+ieaRtQRdN6fDZMnbXFI6TvrceXUaZH9AaE53FI
      SHVl6Qa1LFw+qPZetED6dO4vzwnJtwpXozIwMDAdBgNVHQ4EFgQUdEXYinm3a8VQ
      Ol1NaY0FS+4pl0kwDwYDVR0RBAgwBocEwAACATAKBggqhkjOPQQDAgNIADBFAiBX
      XLfVcPmpKvp8ucDQQqFDumpRz446sIDCBDxkAJi+agIhAIVaD6PMlXgVcXJxjhE2
      VuAE8WrImZALCbZmowBdNZMJ
      -----END CERTIFICATE-----
      """;

  /** CN=zk.example, OU=Locks, O=Example. */
  private static final String SUBJECT =
      """
      -----BEGIN CERTIFICATE-----
      MIIBhzCCAS6gAwIBAgIJAMxfJjWFsJDDMAoGCCqGSM49BAMCMDcxEDAOBgNVBAoT
      B0V4YW1wbGUxDjAMBgNVBAsTBUxvY2tzMRMwEQYDVQQDEwp6ay5leGFtcGxlMCAX
      DTI2MTEyODE4NTA1MloYDzIxMjYxMTA0MTg1MDUyWjA3MRAwDgYDVQQKEwdFeGFt
      cGxlMQ4wDAYDVQQLEwVMb2NrczETMBEGA1UEAxMKemsuZXhhbXBsZTBZMBMGByqG
      SM49AgEGCCqGSM49AwEHA0IABJ7JrE0XsSzMNQgtmpnMn2Ti1KTkfEpn1tH+TsIl
      DS5BWIFpNU8g/EYMwcYbROnrGM0Jiy3LSd4ygLf1asB50aejITAfMB0GA1UdDgQW
      BBTu8BvqK0Fj+koyN9nHuf6YvOYwMzAKBggqhkjOPQQDAgNHADBEAiBtPzxv3/kh
      lf286MNNCmTadVWihTQ87NeHUWStHw+/NwIgafYtahiwzvJK0pHySsiJH8zSUDBw
      GAn0Pp3wBMlF8GU=
      -----END CERTIFICATE-----
      """;

  private static Optional<String> nameIn(String certificate) throws CertificateException {
    return CertifiedHosts.nameIn(
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate.getBytes(US_ASCII))));
  }

  @Test
  void aNameComesBeforeAnAddress() throws Exception {
    assertEquals(Optional.of("any.zk.example"), nameIn(NAMES));
    assertEquals(Optional.of("192.0.2.1"), nameIn(ADDRESS));
  }

  /** Clients look there only if there is no other name. */
  @Test
  void aCertificateWithoutOtherNamesIsForItsSubject() throws Exception {
    assertEquals(Optional.of("zk.example"), nameIn(SUBJECT));
  }
}
