/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.admin;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.ServerReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks each server for its version, with the word {@code srvr}, which servers answer unless they
 * are told not to. The client's protocol does not tell it. Each is asked on a thread of its own,
 * which ends with the answer.
 */
public final class ServerVersions {

  private static final byte[] QUESTION = "srvr".getBytes(StandardCharsets.US_ASCII);
  private static final Pattern VERSION = Pattern.compile("(?m)^Zookeeper version: ([^-,\\s]+)");
  private static final int LONGEST_ANSWER = 4096;

  private ServerVersions() {}

  /**
   * Asks.
   *
   * @param servers whose ports speak no TLS
   * @param patience for each
   */
  public static CompletableFuture<List<ServerReport>> of(
      List<InetSocketAddress> servers, Duration patience) {
    Executor threads =
        task -> {
          Thread thread = new Thread(task, "holdfast-zookeeper-version");
          thread.setDaemon(true);
          thread.start();
        };
    List<CompletableFuture<ServerReport>> all =
        servers.stream()
            .map(server -> CompletableFuture.supplyAsync(() -> report(server, patience), threads))
            .toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  private static ServerReport report(InetSocketAddress server, Duration patience) {
    String name = "ZooKeeper at " + server.getHostString() + ":" + server.getPort();
    try {
      Matcher version = VERSION.matcher(ask(server, Math.toIntExact(patience.toMillis())));
      boolean told = version.find();
      return new ServerReport(name, told ? version.group(1) : "", Optional.empty(), List.of());
    } catch (IOException e) {
      Finding silent =
          Finding.warning(
              Promise.AVAILABILITY,
              "This server does not answer (" + e.getMessage() + ")",
              "Bring it back; until then one fewer may fail.");
      return new ServerReport(name, "", Optional.empty(), List.of(silent));
    }
  }

  private static String ask(InetSocketAddress server, int patienceMillis) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(server.getHostString(), server.getPort()), patienceMillis);
      socket.setSoTimeout(patienceMillis);
      socket.getOutputStream().write(QUESTION);
      socket.getOutputStream().flush();
      InputStream answer = socket.getInputStream();
      return new String(answer.readNBytes(LONGEST_ANSWER), StandardCharsets.US_ASCII);
    }
  }
}
