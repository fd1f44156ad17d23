/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Opens connections. */
public interface ConnectionSource {

  String PREFIX = "jdbc:postgresql:";

  /** Needs no driver. */
  static Optional<Map<String, String>> settingsOf(String url) {
    return url.startsWith(PREFIX) ? Optional.of(Map.of("url", url)) : Optional.empty();
  }

  /** A new connection, or one that is lent to us until we close it. */
  Connection open() throws SQLException;

  /** Whether connections go back to somebody, as they were. */
  boolean lends();

  /** For messages; holds no secret. */
  String describe();

  /**
   * A finding about others on the way, who may listen or pretend to be the server; empty if it is
   * not known.
   */
  default Optional<Finding> access() {
    return Optional.empty();
  }

  /** Of a data source that is there already. */
  record Lent(DataSource dataSource) implements ConnectionSource {

    @Override
    public Connection open() throws SQLException {
      return dataSource.getConnection();
    }

    @Override
    public boolean lends() {
      return true;
    }

    @Override
    public String describe() {
      return "the given data source";
    }

    @Override
    public String toString() {
      return describe();
    }
  }

  /** Made by the driver. */
  final class Own implements ConnectionSource {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private static final String EXAMPLE = "jdbc:postgresql://localhost:5432/app";

    private final String target;
    private final Properties properties;

    private Own(String target, Properties properties) {
      this.target = target;
      this.properties = properties;
    }

    public static Own of(Settings settings, int timeoutSeconds) {
      String url = settings.required("url", EXAMPLE).trim();
      refuseMisplaced(url);
      Properties properties =
          Optional.of(url)
              .filter(text -> text.startsWith(PREFIX))
              .map(text -> Driver.parseURL(text, new Properties()))
              // Not with its value, which may hold a password.
              .orElseThrow(
                  () ->
                      new LockConfigurationException(
                          "Setting 'url' must look like " + EXAMPLE + "?sslmode=verify-full"));
      Properties ours = new Properties();
      properties.stringPropertyNames().forEach(key -> ours.put(key, properties.getProperty(key)));
      settings.renamed("user", "username");
      settings.text("username").ifPresent(user -> PGProperty.USER.set(ours, user));
      settings.text("password").ifPresent(secret -> PGProperty.PASSWORD.set(ours, secret));
      // While it logs in; afterwards each connection has a time-out in milliseconds.
      PGProperty.CONNECT_TIMEOUT.set(ours, timeoutSeconds);
      PGProperty.SOCKET_TIMEOUT.set(ours, timeoutSeconds);
      PGProperty.TCP_KEEP_ALIVE.set(ours, true);
      PGProperty.PREFER_QUERY_MODE.set(ours, "extended");
      PGProperty.PREPARE_THRESHOLD.set(ours, 1);
      if (!PGProperty.APPLICATION_NAME.isPresent(ours)) {
        PGProperty.APPLICATION_NAME.set(ours, "holdfast");
      }
      int parameters = url.indexOf('?');
      return new Own(parameters < 0 ? url : url.substring(0, parameters), ours);
    }

    /**
     * The driver takes these for a part of the host or of the database's name, and logs and tells
     * it. In what begins with a question mark it knows secrets.
     */
    private static void refuseMisplaced(String url) {
      int parameters = url.indexOf('?');
      String target = parameters < 0 ? url : url.substring(0, parameters);
      if (target.contains("@")) {
        throw new LockConfigurationException(
            "Setting 'url' must not have a user and a password before the host; set 'username' and"
                + " 'password', and the url as "
                + EXAMPLE);
      }
      if (target.contains(";")) {
        throw new LockConfigurationException(
            "Setting 'url' must have its parameters after a question mark, not after a"
                + " semicolon, as in "
                + EXAMPLE
                + "?sslmode=verify-full; set 'username' and 'password' separately");
      }
    }

    @Override
    public Connection open() throws SQLException {
      Connection connection = new Driver().connect(target, properties);
      if (connection == null) {
        throw new SQLException("The driver does not take " + target);
      }
      return connection;
    }

    @Override
    public boolean lends() {
      return false;
    }

    @Override
    public Optional<Finding> access() {
      String mode = PGProperty.SSL_MODE.getOrDefault(properties);
      if ("verify-full".equals(mode)) {
        return Optional.of(
            Finding.ok(Promise.ACCESS, "The server's certificate and its name are verified"));
      }
      String hosts = String.valueOf(PGProperty.PG_HOST.getOrDefault(properties));
      if (Arrays.stream(hosts.split(",", -1)).allMatch(LOOPBACK::contains)) {
        return Optional.empty();
      }
      return Optional.of(
          Finding.warning(
              Promise.ACCESS,
              "With sslmode %s, anybody on the network path can read passwords and data, or pretend to be the server"
                  .formatted(mode == null ? "not set" : mode),
              "Add sslmode=verify-full to the url, and sslrootcert if the authority is your own."));
    }

    @Override
    public String describe() {
      return target.substring(PREFIX.length());
    }

    @Override
    public String toString() {
      return describe();
    }
  }
}
