/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.util.List;

/** A PgBouncer in front of a PostgreSQL server; a program of this machine. */
public final class PgBouncer implements AutoCloseable {

  private static final String PROGRAM = "pgbouncer";

  private final Server server;

  private PgBouncer(Server server) {
    this.server = server;
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
    return new PgBouncer(
        LocalServer.start(
            "PgBouncer",
            directory,
            port -> {
              String text =
                  String.join(
                      "\n",
                      "[databases]",
                      "* = host=" + postgres.host() + " port=" + postgres.port(),
                      "[pgbouncer]",
                      "listen_addr = " + Ports.LOOPBACK,
                      "listen_port = " + port,
                      "unix_socket_dir =",
                      "auth_type = any",
                      "pool_mode = " + poolMode,
                      "default_pool_size = " + poolSize,
                      "max_client_conn = 200",
                      "ignore_startup_parameters = extra_float_digits",
                      "");
              // With auth_type = any, everybody is the user who is given with the database.
              text = text.replace(" port=", " user=" + PostgresServer.USER + " port=");
              return List.of(
                  "sh",
                  "-c",
                  PostgresServer.resource("pgbouncer.sh"),
                  "holdfast-pgbouncer",
                  directory.file("pgbouncer.ini", text).toString());
            },
            PgBouncer::answers));
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

  private static boolean answers(String host, int port) throws java.io.IOException {
    try (PostgresWire connection =
        new PostgresWire(host, port, PostgresServer.USER, PostgresServer.DATABASE)) {
      return !connection.ask("SELECT 1").isEmpty();
    }
  }
}
