/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A Redis Sentinel, which watches a primary and replaces it by one of its replicas when enough
 * sentinels find it down. It is the {@code redis-server} of this machine.
 */
public final class RedisSentinel implements AutoCloseable {

  /** After a fail-over, the next one is not begun for twice this time. */
  private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(3);

  private static final int HEARD_MILLIS = 1_500;

  private final LocalServer server;
  private final String master;

  private RedisSentinel(LocalServer server, String master) {
    this.server = server;
    this.master = master;
  }

  /**
   * Starts one on a free port.
   *
   * @param master the name of the primary among the sentinels
   * @param primary what runs now
   * @param quorum how many sentinels have to agree that it is down
   * @param downAfter after what silence one of them thinks so
   * @return a sentinel that answers
   */
  public static RedisSentinel launch(
      String master, RedisServer primary, int quorum, Duration downAfter) {
    WorkDirectory directory = WorkDirectory.create("sentinel");
    Path config =
        directory.file(
            "sentinel.conf",
            """
            bind %s
            sentinel monitor %s %s %d %d
            sentinel down-after-milliseconds %s %d
            sentinel failover-timeout %s %d
            """
                .formatted(
                    Ports.LOOPBACK,
                    master,
                    primary.host(),
                    primary.port(),
                    quorum,
                    master,
                    downAfter.toMillis(),
                    master,
                    FAILOVER_TIMEOUT.toMillis()));
    LocalServer server =
        LocalServer.start(
            "redis-sentinel",
            directory,
            port ->
                List.of(
                    "redis-server",
                    config.toString(),
                    "--sentinel",
                    "--port",
                    Integer.toString(port)),
            RedisSentinel::answers);
    return new RedisSentinel(server, master);
  }

  /**
   * Where it listens.
   *
   * @return host and port
   */
  public String address() {
    return server.host() + ":" + server.port();
  }

  /**
   * Where it listens.
   *
   * @return the port, of the loopback interface
   */
  public int port() {
    return server.port();
  }

  /**
   * The port at which it now sees the primary.
   *
   * @return of the loopback interface
   */
  public int primaryPort() {
    return Integer.parseInt(command("get-master-addr-by-name", master).get(1));
  }

  /**
   * Whether the primary has just answered it.
   *
   * @return false while it is silent, or not connected again
   */
  public boolean primaryIsHeard() {
    List<String> facts = command("master", master);
    int at = facts.indexOf("last-ok-ping-reply");
    return Integer.parseInt(facts.get(at + 1)) < HEARD_MILLIS
        && facts.get(facts.indexOf("flags") + 1).equals("master");
  }

  /**
   * Whether it sees a primary with a replica, and enough sentinels to replace it.
   *
   * @return false while they still find each other
   */
  public boolean isReady() {
    try {
      return command("ckquorum", master).get(0).startsWith("OK")
          && command("replicas", master).contains("slave");
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Freezes it with SIGSTOP. Connections stay open and nobody answers. */
  public void suspend() {
    server.suspend();
  }

  /** Lets it go on with SIGCONT. */
  public void resume() {
    server.resume();
  }

  /**
   * Sends {@code SENTINEL} and some words.
   *
   * @param words of the command
   * @return the values of the reply, one after another however they are nested
   * @throws IllegalStateException if it answers with an error
   * @throws UncheckedIOException if it does not answer
   */
  public List<String> command(String... words) {
    String[] command = new String[words.length + 1];
    command[0] = "SENTINEL";
    System.arraycopy(words, 0, command, 1, words.length);
    try (Resp connection = new Resp(server.host(), server.port())) {
      return connection.call(command);
    } catch (Resp.ErrorReply e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("No answer of " + server.describe(), e);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  private static boolean answers(String host, int port) throws IOException {
    try (Resp connection = new Resp(host, port)) {
      connection.call("PING");
      return true;
    } catch (Resp.ErrorReply e) {
      return false;
    }
  }
}
