/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.servers.LocalServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.h2.Driver;
import org.h2.engine.Constants;
import org.h2.engine.SysProperties;

/** An H2 server of its own. */
class H2LockFixture implements Fixture {

  private final LocalServer server =
      LocalServer.launch(
          "h2 " + Constants.VERSION, H2LockFixture::command, H2LockFixture::answers);

  private static List<String> command(int port, Path data) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        Driver.class.getProtectionDomain().getCodeSource().getLocation().getPath(),
        "org.h2.tools.Server",
        "-tcp",
        "-tcpPort",
        String.valueOf(port),
        "-baseDir",
        data.toString(),
        "-ifNotExists");
  }

  /** Makes the database when it asks for the first time, and has it stay open. */
  private static boolean answers(String host, int port) throws IOException {
    try (Connection connection =
        DriverManager.getConnection(url(host, port) + ";DB_CLOSE_DELAY=-1", "sa", "")) {
      return connection.isValid(0);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public Capabilities promises() {
    return new Capabilities(
        Capabilities.Fencing.WHILE_DATA_LASTS,
        Capabilities.Lifetime.TTL,
        Capabilities.Ordering.UNORDERED,
        Capabilities.WakeUp.POLLING,
        Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
        Capabilities.Scope.LEASE,
        Capabilities.Survival.NOTHING,
        Capabilities.Inspection.NONE,
        Capabilities.Retention.CLIENT,
        Capabilities.Sharing.NONE);
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(server.host(), server.port()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(link.host(), link.port()));
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    return Optional.of(
        Map.of("provider", "h2", "url", url("127.0.0.1", port), "password", secret));
  }

  private static Map<String, String> settings(String host, int port) {
    return Map.of("provider", "h2", "url", url(host, port), "command-timeout", "1s");
  }

  private static String url(String host, int port) {
    return "jdbc:h2:tcp://" + host + ":" + port + "/./locks";
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(server);
  }

  @Override
  public List<String> residue() {
    return ask(
        "SELECT NAME || ' of ' || OWNER FROM HOLDFAST_LOCK"
            + " WHERE OWNER IS NOT NULL AND ENDS > CURRENT_TIMESTAMP(9)");
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(
        !ask("SELECT NAME FROM OLD TABLE (DELETE FROM HOLDFAST_LOCK WHERE NAME = ?)", lockName)
            .isEmpty());
  }

  /** A statement is carried out though its connection has ended behind it. */
  @Override
  public boolean undoesWhatArrivesAfterClose() {
    return false;
  }

  /** The driver's cache of values has so many places. */
  @Override
  public int namesRemembered() {
    return SysProperties.OBJECT_CACHE_SIZE;
  }

  private List<String> ask(String sql, String... values) {
    try (Connection connection =
            DriverManager.getConnection(url(server.host(), server.port()), "sa", "");
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      List<String> found = new ArrayList<>();
      try (ResultSet answer = statement.executeQuery()) {
        while (answer.next()) {
          found.add(answer.getString(1));
        }
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
