/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.tck.Fixture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A PostgreSQL server for one of the providers. */
abstract class PostgresFixture implements Fixture {

  /** So that it does not take long to take all. */
  static final String FEW_PLACES = "max_connections=50";

  final PostgresServer server;
  private final String provider;

  PostgresFixture(String provider, PostgresServer server) {
    this.provider = provider;
    this.server = server;
  }

  /** Further settings. */
  abstract Map<String, String> more();

  @Override
  public String name() {
    return provider;
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(server.host(), server.port()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(link.host(), link.port()));
  }

  private Map<String, String> settings(String host, int port) {
    Map<String, String> settings = new HashMap<>(more());
    settings.put("provider", provider);
    settings.put("url", "jdbc:postgresql://" + host + ":" + port + "/" + PostgresServer.DATABASE);
    settings.put("username", PostgresServer.USER);
    settings.put("create-schema", "true");
    return settings;
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    Map<String, String> settings = settings("127.0.0.1", port);
    settings.put("password", secret);
    return Optional.of(settings);
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
      Capabilities.Inspection inspection) {
    return new Capabilities(
        Capabilities.Fencing.WHILE_DATA_LASTS,
        lifetime,
        Capabilities.Ordering.UNORDERED,
        Capabilities.WakeUp.MESSAGE,
        clock,
        scope,
        Capabilities.Survival.NOTHING,
        inspection);
  }

  @Override
  public void close() {
    server.close();
  }
}
