/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.expect;
import static io.holdfast.lock.redis.RedisHarness.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.Certificates;
import io.holdfast.lock.servers.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with an authority made for the test. */
class RedisTlsTest {

  @TempDir Path files;

  @Test
  void onlyTheRightCertificateOfTheRightAuthorityWillDo() throws Exception {
    Certificates certificates = new Certificates(files);
    Path trusted = trusting(certificates.authority("ca"));
    Path stranger = trusting(certificates.authority("stranger"));
    certificates.signedBy("ca", "right", "IP:127.0.0.1");
    certificates.signedBy("ca", "wrong", "DNS:other.example");
    int port = Ports.free();
    try (RedisHarness scene = serve("right", port, "no")) {
      assumeFalse(scene.server.describe().contains("container"), "needs files of this machine");
      try (LockClient client = open(port, Map.of("tls-truststore", trusted.toString()))) {
        assertEquals(ReleaseOutcome.RELEASED, client.lock("a", LONG).acquire().release());
      }
      LockRejectedException untrusted =
          expect(
              LockRejectedException.class,
              () -> open(port, Map.of("tls-truststore", stranger.toString())).close());
      assertTrue(messages(untrusted).contains("tls-truststore"), messages(untrusted));
      expect(LockRejectedException.class, () -> open(port, Map.of()).close());
      // No falling back to plain, neither way.
      expect(
          LockUnavailableException.class,
          () -> open(scene.server.port(), Map.of("tls-truststore", trusted.toString())).close());
      expect(
          LockUnavailableException.class,
          () -> Locks.open(RedisFixture.settings("127.0.0.1", port)).close());
    }
    int wrongPort = Ports.free();
    try (RedisHarness scene = serve("wrong", wrongPort, "no")) {
      assertEquals("PONG", scene.server.command("PING"));
      expect(
          LockRejectedException.class,
          () -> open(wrongPort, Map.of("tls-truststore", trusted.toString())).close());
    }
  }

  @Test
  void aServerThatAsksForACertificateGetsIt() throws Exception {
    Certificates certificates = new Certificates(files);
    Path trusted = trusting(certificates.authority("ca"));
    certificates.authority("stranger");
    certificates.signedBy("ca", "right", "IP:127.0.0.1");
    certificates.signedBy("ca", "client", "DNS:client.example");
    certificates.signedBy("stranger", "foreign", "DNS:client.example");
    int port = Ports.free();
    try (RedisHarness scene = serve("right", port, "yes")) {
      assumeFalse(scene.server.describe().contains("container"), "needs files of this machine");
      Map<String, String> known = withKeys(trusted, certificates.store("client", "changeit"));
      try (LockClient client = open(port, known)) {
        assertEquals(ReleaseOutcome.RELEASED, client.lock("a", LONG).acquire().release());
      }
      Map<String, String> foreign = withKeys(trusted, certificates.store("foreign", "changeit"));
      for (Map<String, String> refused :
          List.of(Map.of("tls-truststore", trusted.toString()), foreign)) {
        LockRejectedException told =
            expect(LockRejectedException.class, () -> open(port, refused).close());
        assertTrue(messages(told).contains("'tls-keystore'"), messages(told));
      }
    }
  }

  private static Map<String, String> withKeys(Path trusted, Path keys) {
    return Map.of(
        "tls-truststore",
        trusted.toString(),
        "tls-keystore",
        keys.toString(),
        "tls-keystore-password",
        "changeit");
  }

  private static LockClient open(int port, Map<String, String> more) {
    Map<String, String> settings = new java.util.HashMap<>(more);
    settings.put("uri", "rediss://127.0.0.1:" + port);
    settings.put("command-timeout", "5s");
    if (more.containsKey("tls-truststore")) {
      settings.put("tls-truststore-password", "changeit");
    }
    return Locks.open("redis", settings);
  }

  private RedisHarness serve(String name, int port, String clientCertificates) {
    return new RedisHarness(
        "--tls-port",
        String.valueOf(port),
        "--tls-cert-file",
        files.resolve(name + ".pem").toString(),
        "--tls-key-file",
        files.resolve(name + ".key").toString(),
        "--tls-auth-clients",
        clientCertificates,
        "--tls-ca-cert-file",
        files.resolve("ca.pem").toString());
  }

  /** A trust store with a certificate. */
  private static Path trusting(Path certificate) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      store.setCertificateEntry(
          "trusted", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    Path file = certificate.resolveSibling(certificate.getFileName() + ".p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    return file;
  }
}
