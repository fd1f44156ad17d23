/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are refused, and those that are missing. */
class PostgresTlsTest {

  @TempDir static Path directory;
  private static PostgresHarness scene;

  @BeforeAll
  static void open() throws Exception {
    scene = new PostgresHarness();
    assumeTrue(scene.server.describe().contains("local process"));
    Certificates certificates = new Certificates(directory);
    certificates.authority("authority");
    certificates.authority("other");
    certificates.signedBy("authority", "server", "DNS:localhost");
    String data = scene.server.ask("SHOW data_directory").get(0);
    for (String file : List.of("server.pem", "server.key", "authority.pem")) {
      write(Files.readString(directory.resolve(file)), data + "/" + file);
    }
    write(
        "hostssl all certified all trust clientcert=verify-ca\nhost all all all trust\n",
        scene.server.ask("SHOW hba_file").get(0));
    for (String setting :
        List.of(
            "ssl_cert_file = 'server.pem'",
            "ssl_key_file = 'server.key'",
            "ssl_ca_file = 'authority.pem'",
            "ssl = on")) {
      scene.server.ask("ALTER SYSTEM SET " + setting);
    }
    scene.server.ask("CREATE ROLE certified LOGIN SUPERUSER");
    scene.server.ask("SELECT pg_reload_conf()");
    PostgresHarness.await("TLS", () -> scene.server.ask("SHOW ssl").contains("on"));
    PostgresHarness.await(
        "a connection with TLS", () -> connects("localhost", "verify-full", "authority"));
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  /** The server itself writes it, so that it is its user's, and nobody else's. */
  private static void write(String text, String file) {
    scene.server.ask(
        "COPY (SELECT unnest(string_to_array('"
            + text.strip()
            + "', E'\\n'))) TO PROGRAM 'cat > "
            + file
            + " && chmod 600 "
            + file
            + "'");
  }

  private static String url(String host, String mode, String authority) {
    return "jdbc:postgresql://"
        + host
        + ":"
        + scene.server.port()
        + "/postgres?sslmode="
        + mode
        + "&sslrootcert="
        + directory.resolve(authority + ".pem");
  }

  private static boolean connects(String host, String mode, String authority) {
    try {
      scene.client(TableLockProvider.NAME, "url", url(host, mode, authority)).close();
      return true;
    } catch (LockRejectedException e) {
      return false;
    }
  }

  private static void refused(String word, String url, String user) {
    LockRejectedException told =
        assertThrows(
            LockRejectedException.class,
            () ->
                Locks.open(
                        TableLockProvider.NAME,
                        scene.settings("url", url, "username", user, "command-timeout", "10s"))
                    .close());
    assertTrue(String.valueOf(told.getMessage()).contains(word), told.getMessage());
  }

  @Test
  void anUnknownAuthority() {
    refused("'sslrootcert'", url("localhost", "verify-full", "other"), "holdfast");
  }

  @Test
  void anotherHostsName() {
    refused("name of the host", url("127.0.0.1", "verify-full", "authority"), "holdfast");
  }

  @Test
  void noAuthorityAtAll() {
    refused("'sslrootcert'", url("localhost", "verify-full", "missing"), "holdfast");
  }

  @Test
  void aMissingClientCertificate() {
    refused("'sslcert'", url("localhost", "verify-full", "authority"), "certified");
  }
}
