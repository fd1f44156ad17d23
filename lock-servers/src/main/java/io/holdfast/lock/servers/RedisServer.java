/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A standalone Redis server without persistence, unless the arguments say otherwise. It is the
 * {@code redis-server} of this machine or a container, as the setting {@code holdfast.servers}
 * says.
 */
public final class RedisServer extends HostedServer {

  private static final String PROGRAM = "redis-server";
  private static final String IMAGE = "redis:7";
  private static final int INNER_PORT = 6379;
  private static final List<String> NO_PERSISTENCE =
      List.of("--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0");
  private static final String LIMIT = "maxclients";
  private static final Pattern VERSION = Pattern.compile("\\bv=(\\S+)");

  private final Optional<String> password;
  private Optional<Resp> last = Optional.empty();

  private RedisServer(Server server, Optional<String> password) {
    super(server);
    this.password = password;
  }

  /**
   * Whether {@link #launch} would find a program or a Docker engine.
   *
   * @return false if something has to be installed first
   */
  public static boolean isAvailable() {
    return Hosting.isPossible(RedisServer::choose);
  }

  /**
   * Starts a server on a free port.
   *
   * @param extraArgs further arguments of {@code redis-server}, which win over those given here,
   *     such as {@code --requirepass secret} or {@code --tls-port 20001 --tls-cert-file ...}; the
   *     plain port must stay
   * @return a server that answers
   * @throws IllegalStateException if there is neither the program nor Docker (the message says what
   *     to install), or if it does not start
   */
  public static RedisServer launch(String... extraArgs) {
    List<String> extra = List.of(extraArgs);
    Server server =
        switch (choose()) {
          case LOCAL ->
              LocalServer.start(
                  PROGRAM + " " + Hosting.version(PROGRAM, VERSION),
                  WorkDirectory.create("redis"),
                  port -> command(Ports.LOOPBACK, port, extra),
                  RedisServer::answers);
          case DOCKER ->
              ContainerServer.start(
                  new ContainerServer.Recipe(
                      IMAGE,
                      INNER_PORT,
                      command("0.0.0.0", INNER_PORT, extra),
                      Map.of(),
                      RedisServer::answers));
        };
    int at = extra.indexOf("--requirepass");
    return new RedisServer(server, at < 0 ? Optional.empty() : Optional.of(extra.get(at + 1)));
  }

  /**
   * Sends one command over a connection of its own.
   *
   * @param command its words
   * @return the reply; several values are separated by line feeds, nil is empty
   * @throws IllegalStateException if Redis answers with an error
   * @throws UncheckedIOException if it does not answer
   */
  public String command(String... command) {
    return String.join("\n", values(command));
  }

  /**
   * As {@link #command}, for replies of several values.
   *
   * @param command its words
   * @return the values, one after another however they are nested; nil is empty
   * @throws IllegalStateException if Redis answers with an error
   * @throws UncheckedIOException if it does not answer
   */
  public List<String> values(String... command) {
    return told(
        command[0],
        () -> {
          try (Resp connection = connect()) {
            return connection.call(command);
          }
        });
  }

  /** An exchange over a connection. */
  private interface Talk<T> {
    T over() throws IOException, Resp.ErrorReply;
  }

  private <T> T told(String what, Talk<T> talk) {
    try {
      return talk.over();
    } catch (Resp.ErrorReply e) {
      throw new IllegalStateException(what + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(what + ": no answer of " + describe(), e);
    }
  }

  /** Its scripts forgotten, its clients thrown out, no memory for writes, no room for clients. */
  @Override
  public List<ServerFault> troubles() {
    return List.of(
        ServerFault.momentary("script flush", () -> command("SCRIPT", "FLUSH")),
        ServerFault.endOfConnections(this::killConnections),
        new ServerFault(
            "out of memory",
            false,
            () -> command("CONFIG", "SET", "maxmemory", "1"),
            () -> command("CONFIG", "SET", "maxmemory", "0")),
        new ServerFault("connection limit", true, this::limitConnections, this::endLimit));
  }

  /** Its allocator asks for the time before libfaketime can answer. */
  @Override
  public boolean restartWith(FakeClock clock) {
    return false;
  }

  private void killConnections() {
    told(
        "CLIENT",
        () -> {
          try (Resp connection = connect()) {
            return killOthers(connection);
          }
        });
  }

  private static List<String> killOthers(Resp connection) throws IOException, Resp.ErrorReply {
    connection.call("CLIENT", "KILL", "TYPE", "normal");
    return connection.call("CLIENT", "KILL", "TYPE", "pubsub");
  }

  /** The one that is left is needed to take the limit away again. */
  private void limitConnections() {
    told(
        LIMIT,
        () -> {
          Resp connection = connect();
          last = Optional.of(connection);
          connection.call("CONFIG", "SET", LIMIT, "1");
          return killOthers(connection);
        });
  }

  private void endLimit() {
    if (last.isEmpty()) {
      return;
    }
    told(
        LIMIT,
        () -> {
          try (Resp connection = last.get()) {
            return connection.call("CONFIG", "SET", LIMIT, "10000");
          } finally {
            last = Optional.empty();
          }
        });
  }

  private Resp connect() throws IOException, Resp.ErrorReply {
    Resp connection = new Resp(host(), port());
    try {
      if (password.isPresent()) {
        connection.call("AUTH", password.get());
      }
      return connection;
    } catch (IOException | Resp.ErrorReply e) {
      connection.close();
      throw e;
    }
  }

  private static Hosting choose() {
    return Hosting.choose(
        PROGRAM,
        () -> Hosting.findProgram(PROGRAM).isPresent(),
        "Install it with: apt-get install redis-server");
  }

  private static List<String> command(String address, int port, List<String> extra) {
    List<String> command = new ArrayList<>();
    command.add(PROGRAM);
    command.addAll(List.of("--port", Integer.toString(port), "--bind", address));
    command.addAll(NO_PERSISTENCE);
    command.addAll(extra);
    return command;
  }

  private static boolean answers(String host, int port) throws IOException {
    try (Resp connection = new Resp(host, port)) {
      connection.call("PING");
      return true;
    } catch (Resp.ErrorReply e) {
      return String.valueOf(e.getMessage()).startsWith("NOAUTH");
    }
  }
}
