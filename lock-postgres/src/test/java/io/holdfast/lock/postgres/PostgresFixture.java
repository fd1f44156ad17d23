/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL server for one of the providers. */
abstract class PostgresFixture implements Fixture {

  /** So that it does not take long to take all. */
  static final String FEW_PLACES = "max_connections=50";

  final PostgresServer server;
  private final String provider;

  PostgresFixture(String provider, PostgresServer server) {
    this.provider = provider;
    this.server = server;
    makeSchema();
  }

  /** Takes longer, on a busy machine, than requests of the kit's clients may. */
  private void makeSchema() {
    Map<String, String> settings = settings(server.host(), server.port(), Map.of());
    settings.put("command-timeout", "60s");
    settings.remove("provider");
    Locks.open(AdvisoryLockProvider.NAME, settings).close();
  }

  /** Further settings. */
  abstract Map<String, String> more();

  @Override
  public String name() {
    return provider;
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(server.host(), server.port(), more()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(link.host(), link.port(), more()));
  }

  private Map<String, String> settings(String host, int port, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("provider", provider);
    settings.put("url", "jdbc:postgresql://" + host + ":" + port + "/" + PostgresServer.DATABASE);
    settings.put("username", PostgresServer.USER);
    settings.put("create-schema", "true");
    return settings;
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    Map<String, String> settings = settings("127.0.0.1", port, more());
    settings.put("password", secret);
    return Optional.of(settings);
  }

  /** By itself, and in the address. */
  @Override
  public List<Map<String, String>> withPassword(String secret) {
    server.ask(
        "SELECT pg_advisory_xact_lock(1); DO 'BEGIN CREATE ROLE kit;"
            + " EXCEPTION WHEN duplicate_object THEN NULL; END'");
    server.ask(
        "COPY (VALUES ('host all +kit all scram-sha-256'), ('host all all all trust'),"
            + " ('host replication all all trust')) TO '%s'"
                .formatted(server.ask("SHOW hba_file").get(0)));
    server.ask("SELECT pg_reload_conf()");
    String role = "kit" + Integer.toHexString(secret.hashCode());
    server.ask("CREATE ROLE %s SUPERUSER LOGIN PASSWORD '%s' IN ROLE kit".formatted(role, secret));
    Map<String, String> byItself = settings(server.host(), server.port(), more());
    byItself.put("username", role);
    byItself.put("password", secret);
    Map<String, String> inAddress = settings(server.host(), server.port(), more());
    inAddress.remove("username");
    inAddress.computeIfPresent(
        "url",
        (key, url) -> "%s?user=%s&password=%s&sslpassword=%s".formatted(url, role, secret, secret));
    return List.of(byItself, inAddress);
  }

  @Override
  public Optional<Map<String, String>> withoutPassword(Map<String, String> settings) {
    Map<String, String> rest = new HashMap<>(settings);
    rest.remove("password");
    rest.computeIfPresent("url", (key, url) -> url.replaceAll("&password=.*", ""));
    return Optional.of(rest);
  }

  @Override
  public List<Map<String, String>> malformed(String secret) {
    return Stream.of(
            "jdbc:postgresql://kit:%s@localhost/app",
            "jdbc:postgresql://localhost:1/app;password=%s",
            "jdbc:postgresql://localhost:port/app?password=%s",
            "jdbc:postgresql:/kit:%s@localhost/app",
            "jdbc:postgresql://localhost:port/app?sslkey=none&sslpassword=%s",
            "postgresql://kit:%s@localhost/app",
            "jdbc:mysql://kit:%s@localhost/app")
        .map(url -> Map.of("provider", provider, "url", url.formatted(secret)))
        .toList();
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(server);
  }

  /** The answer, or nothing as long as there are no tables. */
  List<String> ask(String sql) {
    try {
      return server.ask(sql);
    } catch (IllegalStateException e) {
      if (server.ask("SELECT to_regclass('holdfast.table_lock')").contains("")) {
        return List.of();
      }
      throw e;
    }
  }

  /** A text in SQL. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static Capabilities capabilities(
      Capabilities.Lifetime lifetime,
      Capabilities.ExpiryClock clock,
      Capabilities.Scope scope,
      Capabilities.Inspection inspection,
      Capabilities.Retention retention,
      Capabilities.Sharing sharing) {
    return new Capabilities(
        Capabilities.Fencing.WHILE_DATA_LASTS,
        lifetime,
        Capabilities.Ordering.UNORDERED,
        Capabilities.WakeUp.MESSAGE,
        clock,
        scope,
        Capabilities.Survival.NOTHING,
        inspection,
        retention,
        sharing);
  }

  @Override
  public void close() {
    server.close();
  }
}
