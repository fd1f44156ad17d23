/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Authorities made for a test, and certificates that they sign, by the {@code openssl} command. For
 * each name there are {@code NAME.pem} and {@code NAME.key} in one directory.
 *
 * @param directory where the files are
 */
public record Certificates(Path directory) {

  /**
   * Makes an authority.
   *
   * @param name of its files
   * @return its certificate, which it signed itself
   */
  public Path authority(String name) {
    openssl(
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=%s -keyout %s.key -out %s.pem", name);
    return directory.resolve(name + ".pem");
  }

  /**
   * Makes a certificate for servers and clients.
   *
   * @param authority which signs it
   * @param name of its files
   * @param alternative for whom it is, as {@code IP:127.0.0.1} or {@code DNS:some.host}
   * @return the certificate
   */
  public Path signedBy(String authority, String name, String alternative) {
    try {
      Files.writeString(
          directory.resolve(name + ".ext"),
          "subjectAltName=" + alternative + "\nextendedKeyUsage=serverAuth,clientAuth");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    openssl("req -newkey rsa:2048 -nodes -subj /CN=%s -keyout %s.key -out %s.csr", name);
    openssl(
        "x509 -req -days 2 -CA %s.pem -CAkey %s.key -CAcreateserial".replace("%s", authority)
            + " -extfile %s.ext -in %s.csr -out %s.pem",
        name);
    return directory.resolve(name + ".pem");
  }

  /**
   * Puts a certificate and its key into a PKCS #12 file.
   *
   * @param name of its files
   * @param password of the file
   * @return {@code NAME.p12}
   */
  public Path store(String name, String password) {
    openssl("pkcs12 -export -inkey %s.key -in %s.pem -out %s.p12 -passout pass:" + password, name);
    return directory.resolve(name + ".p12");
  }

  /** Runs the command with the name in place of each {@code %s}. */
  private void openssl(String arguments, String name) {
    String line = "openssl " + arguments.replace("%s", name);
    try {
      Process process =
          new ProcessBuilder(List.of(line.split(" ", -1)))
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(line + ": " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted during " + line, e);
    }
  }
}
