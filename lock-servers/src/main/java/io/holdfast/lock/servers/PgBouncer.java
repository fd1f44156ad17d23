/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.IntFunction;

/** A PgBouncer in front of a PostgreSQL server; a program of this machine. */
public final class PgBouncer implements AutoCloseable {

  private static final String PROGRAM = "pgbouncer";
  private static final String FILE = "pgbouncer.ini";

  private final Server server;
  private final WorkDirectory directory;
  private final IntFunction<String> configuration;

  private PgBouncer(Server server, WorkDirectory directory, IntFunction<String> configuration) {
    this.server = server;
    this.directory = directory;
    this.configuration = configuration;
  }

  /**
   * Whether it is installed.
   *
   * @return false if {@code apt-get install pgbouncer} comes first
   */
  public static boolean isAvailable() {
    return Hosting.findProgram(PROGRAM).isPresent();
  }

  /**
   * Starts one on a free port.
   *
   * @param postgres where it leads to
   * @param poolMode {@code session}, {@code transaction} or {@code statement}
   * @param poolSize how many connections it has to the server
   * @return a pooler that answers
   * @throws IllegalStateException if it does not start
   */
  public static PgBouncer launch(PostgresServer postgres, String poolMode, int poolSize) {
    WorkDirectory directory = WorkDirectory.create(PROGRAM).openToOthers();
    IntFunction<String> configuration = port -> configuration(postgres, port, poolMode, poolSize);
    Server server =
        LocalServer.start(
            "PgBouncer",
            directory,
            port ->
                List.of(
                    "sh",
                    "-c",
                    PostgresServer.resource("pgbouncer.sh"),
                    "holdfast-pgbouncer",
                    directory.file(FILE, configuration.apply(port)).toString()),
            PgBouncer::answers);
    return new PgBouncer(server, directory, configuration);
  }

  private static String configuration(
      PostgresServer postgres, int port, String poolMode, int poolSize) {
    return String.join(
        "\n",
        "[databases]",
        // With auth_type = any, everybody is the user who is given with the database.
        "* = host=" + postgres.host() + " user=" + PostgresServer.USER + " port=" + postgres.port(),
        "[pgbouncer]",
        "listen_addr = " + Ports.LOOPBACK,
        "listen_port = " + port,
        "unix_socket_dir =",
        "auth_type = any",
        "admin_users = " + PostgresServer.USER,
        "pool_mode = " + poolMode,
        "default_pool_size = " + poolSize,
        "max_client_conn = 200",
        "ignore_startup_parameters = extra_float_digits",
        "");
  }

  /**
   * Writes another line into its configuration, the last of which counts, and has it read that anew
   * while clients are connected.
   *
   * @param setting for example {@code pool_mode = transaction}
   */
  public void reload(String setting) {
    directory.file(FILE, configuration.apply(server.port()) + setting + "\n");
    try (PostgresWire administrator =
        new PostgresWire(server.host(), server.port(), PostgresServer.USER, PROGRAM)) {
      administrator.ask("RELOAD");
    } catch (IOException e) {
      throw new UncheckedIOException("PgBouncer does not read its configuration", e);
    }
  }

  /**
   * Where it listens, as JDBC has it.
   *
   * @return the url of the database behind it
   */
  public String url() {
    return "jdbc:postgresql://"
        + server.host()
        + ":"
        + server.port()
        + "/"
        + PostgresServer.DATABASE;
  }

  @Override
  public void close() {
    server.close();
  }

  private static boolean answers(String host, int port) throws IOException {
    try (PostgresWire connection =
        new PostgresWire(host, port, PostgresServer.USER, PostgresServer.DATABASE)) {
      return !connection.ask("SELECT 1").isEmpty();
    }
  }
}
