/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.lock.spi.support.Outage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds out which server has a port where no session could be opened: ZooKeeper's client does not
 * tell what it was answered. Blocks, for a bounded time.
 */
public final class ForeignProbe {

  private static final int PATIENCE_MILLIS = 500;

  /** A command that ZooKeeper answers in words, also if it may not be used. */
  private static final String QUESTION = "srvr";

  private static final String MAY_NOT_BE_USED = "not in the whitelist";

  /** Servers that read lines have an opinion about the question only after its end. */
  private static final String END_OF_LINES = "\r\n\r\n";

  private static final char TLS_ALERT = 0x15;

  private ForeignProbe() {}

  /** The trouble with a server; empty if it may be ZooKeeper, or says nothing. */
  public static Optional<String> failure(InetSocketAddress server) {
    try (Socket connection = new Socket()) {
      connection.connect(
          new InetSocketAddress(server.getHostString(), server.getPort()), PATIENCE_MILLIS);
      connection.setSoTimeout(PATIENCE_MILLIS);
      String said = answer(connection, QUESTION);
      return failure(said.isEmpty() ? answer(connection, END_OF_LINES) : said);
    } catch (IOException e) {
      return Outage.reason(e);
    }
  }

  private static String answer(Socket connection, String question) throws IOException {
    connection.getOutputStream().write(question.getBytes(ISO_8859_1));
    byte[] said = new byte[512];
    try {
      int length = connection.getInputStream().read(said);
      return new String(said, 0, Math.max(0, length), ISO_8859_1);
    } catch (SocketTimeoutException e) {
      return "";
    }
  }

  private static Optional<String> failure(String said) {
    if (said.isEmpty()
        || said.toLowerCase(Locale.ROOT).contains("zookeeper")
        || said.contains(MAY_NOT_BE_USED)) {
      return Optional.empty();
    }
    return Optional.of(
        said.charAt(0) == TLS_ALERT
            ? "the server there uses TLS; set 'tls' to true"
            : Outage.foreign("ZooKeeper"));
  }
}
