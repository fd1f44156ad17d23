/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * The database of the fenced rows, which no fault strikes: a PostgreSQL server of its own.
 *
 * @param server empty if there is none on this machine
 */
record FencedRowDatabase(Optional<PostgresServer> server) implements AutoCloseable {

  /**
   * Starts it.
   *
   * @param skipped takes the reason if that is not possible
   */
  static FencedRowDatabase open(List<String> skipped) {
    if (!FencedRow.isPossible()) {
      skipped.add("fenced rows: PostgreSQL's driver is not on the class path");
      return new FencedRowDatabase(Optional.empty());
    }
    if (!PostgresServer.isAvailable()) {
      skipped.add("fenced rows: there is no PostgreSQL server here, nor Docker");
      return new FencedRowDatabase(Optional.empty());
    }
    FencedRowDatabase rows = new FencedRowDatabase(Optional.of(PostgresServer.launch()));
    try (FencedRow first = new FencedRow(rows.url().orElseThrow())) {
      first.create();
      return rows;
    } catch (IOException e) {
      rows.close();
      throw new UncheckedIOException(e);
    }
  }

  /** With the user, for any process. */
  Optional<String> url() {
    return server.map(running -> running.url() + "?user=" + PostgresServer.USER);
  }

  @Override
  public void close() {
    server.ifPresent(PostgresServer::close);
  }
}
