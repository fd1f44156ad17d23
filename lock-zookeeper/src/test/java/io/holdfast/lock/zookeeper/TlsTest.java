/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.servers.Ports;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** TLS over the Netty that this module brings. */
class TlsTest {

  private static final String PASSWORD = "not-a-secret";

  @TempDir private Path directory;

  @Test
  void bothSidesProveWhoTheyAre() throws Exception {
    Path keys = keyPair("both", "dns:localhost,ip:127.0.0.1");
    Path trusted = trust("trusted", keys);
    int port = Ports.free();
    try (ZooKeeperHarness harness = serve(port, keys, trusted, "need")) {
      Map<String, String> good =
          with(
              tls(port, trusted),
              "tls-keystore",
              keys.toString(),
              "tls-keystore-password",
              PASSWORD);
      try (LockClient locks = harness.client(good);
          LockClient others = harness.client(good);
          Lease lease = locks.lock("tls").acquire()) {
        assertTrue(lease.isValid());
        assertTrue(others.lock("tls").tryAcquire().isEmpty());
        // Of the ensemble alone: the words that ask a server for its version go without TLS.
        assertEquals(1, locks.examine(Duration.ofSeconds(10)).size());
      }
      rejected(harness, tls(port, trusted), "'tls-keystore'");
      Path stranger = keyPair("stranger", "dns:localhost");
      rejected(
          harness,
          with(
              tls(port, trusted),
              "tls-keystore",
              stranger.toString(),
              "tls-keystore-password",
              PASSWORD),
          "'tls-keystore'");
    }
  }

  @Test
  void aCertificateOfAnotherHostOrAStrangerIsRefused() throws Exception {
    for (String name : List.of("dns:other.example", "dns:*.other.example", "ip:192.0.2.1")) {
      Path keys = keyPair("server" + name.hashCode(), name);
      Path trusted = trust("trusted" + name.hashCode(), keys);
      int port = Ports.free();
      try (ZooKeeperHarness harness = serve(port, keys, trusted, "none")) {
        Map<String, String> checked = tls(port, trusted);
        rejected(harness, checked, "for another host");
        if (name.equals("dns:other.example")) {
          // One that is away says less than one whose certificate is wrong.
          String both = "127.0.0.1:1,127.0.0.1:" + port;
          rejected(harness, with(checked, "connect", both), "another host");
        }
        Map<String, String> unchecked = with(checked, "tls-hostname-verification", "false");
        try (LockClient locks = harness.client(unchecked);
            Lease lease = locks.lock("tls").acquire()) {
          assertTrue(lease.isValid());
        }
        // The authority counts all the same.
        Path others = trust("others" + name.hashCode(), keyPair("o" + name.hashCode(), name));
        rejected(harness, with(unchecked, "tls-truststore", others.toString()), "not trusted");
      }
    }
  }

  @Test
  void aStoreThatCannotBeReadIsNamedWithoutItsPassword() throws Exception {
    Path trusted = trust("trusted", keyPair("server", "dns:localhost"));
    try (ZooKeeperHarness harness = new ZooKeeperHarness()) {
      LockException refused =
          assertThrows(
              LockConfigurationException.class,
              () ->
                  harness.client(
                      with(
                          tls(Ports.free(), trusted), "tls-truststore-password", "guessed-wrong")));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("'tls-truststore'"), refused.toString());
      hidesSecrets(refused);
    }
  }

  @Test
  void aServerWithoutTlsIsNamedAsOne() {
    try (ZooKeeperHarness harness = new ZooKeeperHarness()) {
      LockException refused =
          assertThrows(
              LockUnavailableException.class,
              () ->
                  harness.client(
                      Map.of(
                          "connect",
                          harness.address(),
                          "tls",
                          "true",
                          "connect-timeout",
                          "6s",
                          "session-timeout",
                          "10s")));
      assertTrue(String.valueOf(refused.getMessage()).contains("TLS"), refused.toString());
    }
  }

  private static ZooKeeperHarness serve(int port, Path keys, Path trusted, String clientAuth) {
    return new ZooKeeperHarness(
        Map.of(
            "secureClientPort",
            Integer.toString(port),
            "serverCnxnFactory",
            "org.apache.zookeeper.server.NettyServerCnxnFactory",
            "ssl.keyStore.location",
            keys.toString(),
            "ssl.keyStore.password",
            PASSWORD,
            "ssl.trustStore.location",
            trusted.toString(),
            "ssl.trustStore.password",
            PASSWORD,
            "ssl.clientAuth",
            clientAuth));
  }

  private static Map<String, String> tls(int port, Path trusted) {
    return Map.of(
        "connect",
        "127.0.0.1:" + port,
        "connect-timeout",
        "30s",
        "session-timeout",
        "10s",
        "tls",
        "true",
        "tls-truststore",
        trusted.toString(),
        "tls-truststore-password",
        PASSWORD);
  }

  private static Map<String, String> with(Map<String, String> settings, String... more) {
    Map<String, String> all = new HashMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private static void rejected(
      ZooKeeperHarness harness, Map<String, String> settings, String word) {
    Executable open = () -> harness.client(with(settings, "connect-timeout", "4s"));
    LockException refused = assertThrows(LockException.class, open);
    // A slow server has not said yet why it ends the connection.
    for (int i = 0; i < 3 && refused instanceof LockUnavailableException; i++) {
      refused = assertThrows(LockException.class, open);
    }
    assertInstanceOf(LockRejectedException.class, refused);
    assertTrue(String.valueOf(refused.getMessage()).contains(word), refused.toString());
    hidesSecrets(refused);
  }

  private static void hidesSecrets(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      assertFalse(at.toString().contains(PASSWORD), at.toString());
      assertFalse(at.toString().contains("guessed"), at.toString());
    }
  }

  private Path keyPair(String name, String alternativeName) throws Exception {
    Path store = directory.resolve(name + ".p12");
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "san=" + alternativeName,
        "-keystore",
        store.toString());
    return store;
  }

  /** A store that trusts what the key pair of a file of that name proves. */
  private Path trust(String store, Path keyPair) throws Exception {
    Path trusted = directory.resolve(store + ".p12");
    String name = keyPair.getFileName().toString().replace(".p12", "");
    String certificate = directory.resolve(name + ".pem").toString();
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        name,
        "-keystore",
        keyPair.toString(),
        "-file",
        certificate);
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        name,
        "-keystore",
        trusted.toString(),
        "-file",
        certificate);
    return trusted;
  }

  private void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin/keytool");
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), () -> String.join(" ", command));
  }
}
