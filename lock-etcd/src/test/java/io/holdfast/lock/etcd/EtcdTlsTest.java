/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.Certificates;
import io.holdfast.lock.servers.EtcdServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with an authority made for the test. */
class EtcdTlsTest {

  @TempDir Path files;

  private Certificates certificates;

  @BeforeEach
  void makeAuthority() {
    certificates = new Certificates(files);
    certificates.authority("ca");
    certificates.signedBy("ca", "right", "IP:127.0.0.1");
  }

  @Test
  void onlyTheRightCertificateOfTheRightAuthorityWillDo() throws Exception {
    certificates.authority("stranger");
    certificates.signedBy("ca", "wrong", "DNS:other.example");
    try (EtcdServer server = serve("right")) {
      assumeFalse(server.describe().contains("container"), "needs files of this machine");
      works(server, Map.of("tls-truststore", file("ca.pem")));
      works(
          server,
          Map.of("tls-truststore", trustStore("ca.pem"), "tls-truststore-password", "changeit"));
      rejected(server, Map.of("tls-truststore", file("stranger.pem")));
      rejected(server, Map.of());
      // No falling back to plain.
      Assertions.assertThrows(
          LockException.class,
          () -> EtcdHarness.open("http://127.0.0.1:" + server.port(), Map.of()).close());
      Files.writeString(files.resolve("broken.p12"), "this is no store");
      LockException broken =
          assertThrowsExactly(
              LockConfigurationException.class,
              () ->
                  open(
                          server,
                          Map.of(
                              "tls-truststore",
                              file("broken.p12"),
                              "tls-truststore-password",
                              "a-secret"))
                      .close());
      assertTrue(!messages(broken).contains("a-secret"), messages(broken));
    }
    try (EtcdServer server = serve("wrong")) {
      rejected(server, Map.of("tls-truststore", file("ca.pem")));
    }
  }

  @Test
  void aServerThatAsksForACertificateGetsIt() throws Exception {
    certificates.signedBy("ca", "client", "DNS:client.example");
    Files.writeString(
        files.resolve("both.pem"),
        Files.readString(files.resolve("client.pem"))
            + Files.readString(files.resolve("client.key")));
    certificates.store("client", "changeit");
    try (EtcdServer server =
        serve("right", "--client-cert-auth", "--trusted-ca-file", file("ca.pem"))) {
      assumeFalse(server.describe().contains("container"), "needs files of this machine");
      works(server, Map.of("tls-truststore", file("ca.pem"), "tls-keystore", file("both.pem")));
      works(
          server,
          Map.of(
              "tls-truststore",
              file("ca.pem"),
              "tls-keystore",
              file("client.p12"),
              "tls-keystore-password",
              "changeit"));
      Map<String, String> without = Map.of("tls-truststore", file("ca.pem"));
      rejected("tls-keystore", server, without);
      certificates.authority("stranger");
      certificates.signedBy("stranger", "foreign", "DNS:client.example");
      certificates.store("foreign", "changeit");
      Map<String, String> foreign = new HashMap<>(without);
      foreign.put("tls-keystore", file("foreign.p12"));
      foreign.put("tls-keystore-password", "changeit");
      rejected("tls-keystore", server, foreign);
    }
  }

  /** A Java key store that trusts an authority. */
  private String trustStore(String authority) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream certificate = Files.newInputStream(files.resolve(authority))) {
      store.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
    }
    try (OutputStream written = Files.newOutputStream(files.resolve("trust.p12"))) {
      store.store(written, "changeit".toCharArray());
    }
    return file("trust.p12");
  }

  private static void works(EtcdServer server, Map<String, String> settings) throws Exception {
    try (LockClient client = open(server, settings)) {
      assertEquals(ReleaseOutcome.RELEASED, client.lock("a", LONG).acquire().release());
    }
  }

  private static void rejected(EtcdServer server, Map<String, String> settings) {
    rejected("tls-truststore", server, settings);
  }

  private static void rejected(String hint, EtcdServer server, Map<String, String> settings) {
    LockRejectedException refusal =
        assertThrowsExactly(LockRejectedException.class, () -> open(server, settings).close());
    assertTrue(String.valueOf(refusal.getMessage()).contains(hint), messages(refusal));
  }

  private static LockClient open(EtcdServer server, Map<String, String> settings) {
    return EtcdHarness.open("https://127.0.0.1:" + server.port(), settings);
  }

  private EtcdServer serve(String name, String... more) {
    String[] arguments = new String[4 + more.length];
    arguments[0] = "--cert-file";
    arguments[1] = file(name + ".pem");
    arguments[2] = "--key-file";
    arguments[3] = file(name + ".key");
    System.arraycopy(more, 0, arguments, 4, more.length);
    return EtcdServer.launch(arguments);
  }

  private String file(String name) {
    return files.resolve(name).toString();
  }
}
