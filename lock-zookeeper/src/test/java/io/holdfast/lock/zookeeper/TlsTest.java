/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.servers.Ports;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS over the Netty that this module brings. */
class TlsTest {

  private static final String PASSWORD = "not-a-secret";

  @TempDir private Path directory;

  @Test
  void bothSidesProveWhoTheyAre() throws Exception {
    Path keys = keyPair("both", "dns:localhost,ip:127.0.0.1");
    Path trusted = directory.resolve("trusted.p12");
    trust(trusted, "both", keys);
    int port = Ports.free();
    try (Harness harness =
        new Harness(
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
                "need"))) {
      Map<String, String> good =
          Map.of(
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
              PASSWORD,
              "tls-keystore",
              keys.toString(),
              "tls-keystore-password",
              PASSWORD);
      try (LockClient locks = harness.client(good);
          LockClient others = harness.client(good);
          Lease lease = locks.lock("tls").acquire()) {
        assertTrue(lease.isValid());
        assertTrue(others.lock("tls").tryAcquire().isEmpty());
      }
      Map<String, String> anonymous =
          Map.of(
              "connect",
              "127.0.0.1:" + port,
              "connect-timeout",
              "2s",
              "tls",
              "true",
              "tls-truststore",
              trusted.toString(),
              "tls-truststore-password",
              PASSWORD);
      LockException refused =
          assertThrows(LockUnavailableException.class, () -> harness.client(anonymous));
      assertFalse(refused.toString().contains(PASSWORD), refused.toString());
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

  private void trust(Path trusted, String name, Path keyPair) throws Exception {
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
