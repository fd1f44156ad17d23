/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.lock.servers.RedisSentinel;
import io.holdfast.lock.servers.TcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A sentinel as a client sees it that reaches the servers by a link: where it names the port of a
 * server, the client is told the port of the link. It passes questions and answers on.
 */
final class SentinelRelay implements AutoCloseable {

  private static final int REPLY_BYTES = 64 * 1024;

  private final RedisSentinel sentinel;
  private final Map<Integer, Integer> ports;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * Listens.
   *
   * @param sentinel who is asked
   * @param ports of the link, by those of the servers
   */
  SentinelRelay(RedisSentinel sentinel, Map<Integer, Integer> ports) {
    this.sentinel = sentinel;
    this.ports = Map.copyOf(ports);
    try {
      this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("accept", this::accept);
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      open.add(client);
      run("asked", () -> relay(client));
    }
  }

  private void relay(Socket client) throws IOException {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), sentinel.port())) {
      run("told", () -> pump(server, client, true));
      pump(client, server, false);
    } finally {
      open.remove(client);
    }
  }

  private void pump(Socket from, Socket to, boolean replies) throws IOException {
    try (from;
        to) {
      InputStream source = from.getInputStream();
      OutputStream target = to.getOutputStream();
      byte[] bytes = new byte[REPLY_BYTES];
      for (int read = source.read(bytes); read >= 0; read = source.read(bytes)) {
        String text = new String(bytes, 0, read, ISO_8859_1);
        target.write((replies ? renamed(text) : text).getBytes(ISO_8859_1));
      }
    }
  }

  /** Replies are so short that each comes in one piece. */
  private String renamed(String reply) {
    String renamed = reply;
    for (Map.Entry<Integer, Integer> port : ports.entrySet()) {
      renamed = renamed.replace(bulk(port.getKey()), bulk(port.getValue()));
    }
    return renamed;
  }

  private static String bulk(int port) {
    String text = Integer.toString(port);
    return "\r\n$" + text.length() + "\r\n" + text + "\r\n";
  }

  private interface Task {
    void run() throws IOException;
  }

  /** On a thread of its own, until one of the ends is closed. */
  private static void run(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // One end has gone, and the other is closed with it.
              }
            },
            TcpProxy.THREADS + "sentinel-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket client : open) {
        client.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
