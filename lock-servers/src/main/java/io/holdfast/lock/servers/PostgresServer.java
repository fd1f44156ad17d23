/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A PostgreSQL server with an empty database {@value #DATABASE} and the superuser {@value #USER},
 * who needs no password. It does not wait for the disk, unless the arguments say otherwise; what it
 * wrote survives the death of its processes all the same. It is the newest PostgreSQL of this
 * machine or a container, as the setting {@code holdfast.servers} says.
 */
public final class PostgresServer extends HostedServer {

  /** The superuser. */
  public static final String USER = "holdfast";

  /** The database. */
  public static final String DATABASE = "postgres";

  private static final String PROGRAM = "postgres";
  private static final String SCRIPT = "postgres.sh";
  private static final String IMAGE = "postgres:17";
  private static final int INNER_PORT = 5432;
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final Pattern VERSION = Pattern.compile("\\) (\\S+)");
  private static final String[] SETTINGS = {
    "max_connections=300",
    "shared_buffers=32MB",
    // Else what the kernel keeps of it outlives a server that is killed.
    "dynamic_shared_memory_type=mmap",
    "fsync=off",
    "unix_socket_directories=",
    "logging_collector=off"
  };

  /**
   * Connections from here have no application name, unlike those of a driver. Waits for each to be
   * gone: its place is free only then.
   */
  private static final String KILL =
      "SELECT pg_terminate_backend(pid, 4000) FROM pg_stat_activity"
          + " WHERE backend_type = 'client backend' AND application_name <> ''";

  private final List<PostgresWire> guests = new ArrayList<>();

  private PostgresServer(Server server) {
    super(server);
  }

  /**
   * Whether {@link #launch} would find a program or a Docker engine.
   *
   * @return false if something has to be installed first
   */
  public static boolean isAvailable() {
    return Hosting.isPossible(PostgresServer::choose);
  }

  /**
   * Starts a server on a free port.
   *
   * @param configuration further settings, which win over those given here, such as {@code
   *     max_connections=10}
   * @return a server that answers
   * @throws IllegalStateException if there is neither the program nor Docker (the message says what
   *     to install), or if it does not start
   */
  public static PostgresServer launch(String... configuration) {
    List<String> extra = List.of(configuration);
    return new PostgresServer(
        switch (choose()) {
          case LOCAL -> startLocal(extra, "");
          case DOCKER ->
              ContainerServer.start(
                  new ContainerServer.Recipe(
                      IMAGE,
                      INNER_PORT,
                      Stream.concat(Stream.of(PROGRAM), arguments(extra).stream()).toList(),
                      Map.of("POSTGRES_USER", USER, "POSTGRES_HOST_AUTH_METHOD", "trust"),
                      PostgresServer::answers));
        });
  }

  /**
   * Starts a standby of another server, which goes on following it.
   *
   * @param primary a program of this machine
   * @return a server that answers, to what it may be asked
   * @throws IllegalStateException if it does not start
   */
  public static PostgresServer launchStandby(PostgresServer primary) {
    return new PostgresServer(startLocal(List.of(), Integer.toString(primary.port())));
  }

  /**
   * Where it listens, as JDBC has it.
   *
   * @return for example {@code jdbc:postgresql://127.0.0.1:20001/postgres}
   */
  public String url() {
    return "jdbc:postgresql://" + host() + ":" + port() + "/" + DATABASE;
  }

  /**
   * Asks over a connection of its own, as the superuser.
   *
   * @param sql one statement
   * @return the first column of all rows; null is empty
   * @throws IllegalStateException if PostgreSQL answers with an error
   * @throws UncheckedIOException if it does not answer
   */
  public List<String> ask(String sql) {
    try (PostgresWire connection = new PostgresWire(host(), port(), USER, DATABASE)) {
      return connection.ask(sql);
    } catch (PostgresWire.ErrorReply e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(sql + ": no answer of " + describe(), e);
    }
  }

  /** Its clients thrown out, and all places for clients taken. */
  @Override
  public List<ServerFault> troubles() {
    return List.of(
        ServerFault.endOfConnections(this::killConnections),
        new ServerFault("connection limit", true, this::takeAllPlaces, this::leave));
  }

  private void killConnections() {
    ask(KILL);
  }

  /** The places of those that are thrown out, too. */
  private void takeAllPlaces() {
    takeFreePlaces();
    try {
      guests.get(0).ask(KILL);
    } catch (IOException e) {
      throw new UncheckedIOException("no answer of " + describe(), e);
    }
    takeFreePlaces();
  }

  private void takeFreePlaces() {
    while (true) {
      try {
        guests.add(new PostgresWire(host(), port(), USER, DATABASE));
      } catch (PostgresWire.ErrorReply e) {
        return;
      } catch (IOException e) {
        throw new UncheckedIOException("no answer of " + describe(), e);
      }
    }
  }

  private void leave() {
    for (PostgresWire guest : guests) {
      try {
        guest.close();
      } catch (IOException e) {
        // It is gone, which is all that was wanted.
      }
    }
    guests.clear();
  }

  private static Hosting choose() {
    return Hosting.choose(
        PROGRAM,
        () -> programs().isPresent() && (!isRoot() || Hosting.findProgram("setpriv").isPresent()),
        "Install it with: apt-get install postgresql");
  }

  /** An empty server's files, which take ten times as long to make as to copy. */
  private static final class Template {
    static final WorkDirectory DIRECTORY = WorkDirectory.createInMemory("postgres").openToOthers();

    private Template() {}
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** SIGINT is the one that does not wait for clients to leave. */
  private static Server startLocal(List<String> extra, String primary) {
    Path programs = programs().orElseThrow();
    WorkDirectory directory = WorkDirectory.createInMemory("postgres").openToOthers();
    return LocalServer.start(
        "PostgreSQL " + Hosting.version(programs.resolve(PROGRAM).toString(), VERSION),
        directory,
        port -> {
          List<String> command =
              new ArrayList<>(
                  List.of(
                      "sh",
                      "-c",
                      resource(SCRIPT),
                      "holdfast-postgres",
                      programs.toString(),
                      directory.data().toString(),
                      primary,
                      Template.DIRECTORY.data().resolve("template").toString(),
                      "-p",
                      Integer.toString(port),
                      "-c",
                      "listen_addresses=" + Ports.LOOPBACK));
          command.addAll(arguments(extra));
          return command;
        },
        PostgresServer::answers,
        "INT");
  }

  private static List<String> arguments(List<String> extra) {
    return Stream.concat(Stream.of(SETTINGS), extra.stream())
        .flatMap(setting -> Stream.of("-c", setting))
        .toList();
  }

  /** Debian keeps them off the search path. */
  private static Optional<Path> programs() {
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        Optional<Path> newest =
            versions
                .filter(version -> version.getFileName().toString().matches("\\d+"))
                .filter(version -> Files.isExecutable(version.resolve("bin").resolve(PROGRAM)))
                .max(
                    Comparator.comparingInt(
                        version -> Integer.parseInt(version.getFileName().toString())))
                .map(version -> version.resolve("bin"));
        if (newest.isPresent()) {
          return newest;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot look into " + DEBIAN, e);
      }
    }
    return Hosting.findProgram(PROGRAM).map(Path::getParent);
  }

  private static boolean answers(String host, int port) throws IOException {
    try (PostgresWire connection = new PostgresWire(host, port, USER, DATABASE)) {
      return !connection.ask("SELECT 1").isEmpty();
    }
  }

  static String resource(String name) {
    try (InputStream in = PostgresServer.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Resource " + name + " is missing");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + name, e);
    }
  }
}
