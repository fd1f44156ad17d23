/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockException;
import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Settings;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A server, a worker on it, and requests that are answered in one way or another. */
final class WorkerScene implements AutoCloseable {

  /** Of nothing; it counts what it is told. */
  static class Owner implements ConnectionWorker.Owner {
    final AtomicInteger lost = new AtomicInteger();
    final AtomicInteger idle = new AtomicInteger();

    @Override
    public void opened(PgConnection pg) {
      // Any connection will do.
    }

    @Override
    public void lost(PgConnection pg) {
      lost.incrementAndGet();
    }

    @Override
    public void idle(PgConnection pg) throws SQLException {
      idle.incrementAndGet();
    }
  }

  /** As if the connection had broken. */
  final ConnectionWorker.Kind<String, String> breaks =
      ConnectionWorker.kind(
          0,
          (pg, asked) -> {
            throw new SQLException("An I/O error occurred", "08006");
          });

  /** Answers what was asked. */
  final ConnectionWorker.Kind<String, String> echoes =
      ConnectionWorker.kind(1, (pg, asked) -> asked.forEach(one -> one.answer(one.request())));

  /** Answers with the server's process. */
  final ConnectionWorker.Kind<String, Integer> tells =
      ConnectionWorker.kind(
          2, (pg, asked) -> asked.forEach(one -> one.answer(pg.identity().process())));

  final PostgresHarness scene = new PostgresHarness();

  /** Whose connections are given up when nothing was answered for that long. */
  ConnectionWorker open(
      String name, Duration patience, ConnectionWorker.Owner owner, String... settings) {
    PostgresConfig config =
        PostgresConfig.of(
            new Settings("postgres-table", scene.settings(settings)), Duration.ofSeconds(5));
    return ConnectionWorker.open(new ConnectionFactory(config), patience, name, owner);
  }

  /** With time enough for everything. */
  ConnectionWorker open(ConnectionWorker.Owner owner) {
    return open("test", Duration.ofSeconds(60), owner, "command-timeout", "20s");
  }

  /** A link to the server. */
  TcpProxy link() {
    URI server = server();
    return TcpProxy.to(server.getHost(), server.getPort());
  }

  /** The server's address over a link. */
  String url(TcpProxy link) {
    return "jdbc:" + server().toString().replace(":" + server().getPort(), ":" + link.port());
  }

  private URI server() {
    return URI.create(String.valueOf(scene.settings().get("url")).substring("jdbc:".length()));
  }

  boolean isServed(ConnectionWorker worker) {
    return worker
        .ask(echoes, "x", () -> "Asking")
        .handle((answer, failed) -> failed == null)
        .join();
  }

  static LockException failure(CompletableFuture<?> asked) {
    CompletionException failed = assertThrows(CompletionException.class, asked::join);
    return assertInstanceOf(LockException.class, failed.getCause());
  }

  @Override
  public void close() {
    scene.close();
  }
}
