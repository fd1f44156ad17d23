/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server for each backend, and a file of settings for each that the smoke test is given. */
final class SmokeServers implements AutoCloseable {

  private final List<Server> servers = new ArrayList<>();
  private final List<Path> settings = new ArrayList<>();

  static SmokeServers launch(Path directory) throws IOException {
    SmokeServers all = new SmokeServers();
    try {
      all.launchInto(directory);
      return all;
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private void launchInto(Path directory) throws IOException {
    write(directory, "redis", "uri = " + redis());
    write(
        directory,
        "redlock",
        "uris = " + Stream.generate(this::redis).limit(3).collect(Collectors.joining(",")),
        "restart-delay = none");
    int zookeeper = add(ZooKeeperServer.launch(Duration.ofMillis(500))).port();
    write(directory, "zookeeper", "connect = localhost:" + zookeeper);
    write(directory, "etcd", "endpoints = http://localhost:" + add(EtcdServer.launch()).port());
    String postgres = add(PostgresServer.launch()).url();
    for (String provider : List.of("postgres-advisory", "postgres-table", "postgres-row")) {
      write(
          directory, provider, "url = " + postgres, "username = holdfast", "create-schema = true");
    }
  }

  private String redis() {
    return "redis://localhost:" + add(RedisServer.launch()).port();
  }

  private <S extends Server> S add(S server) {
    servers.add(server);
    return server;
  }

  private void write(Path directory, String backend, String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of("provider = " + backend));
    all.addAll(List.of(lines));
    all.add("connect-timeout = 30s");
    all.add("command-timeout = 5s");
    settings.add(Files.write(directory.resolve(backend + ".properties"), all));
  }

  /** Called as the backends. */
  List<Path> settings() {
    return List.copyOf(settings);
  }

  /** Those of a module's backends. */
  List<Path> settings(String module) {
    String backend = module.replace("lock-", "");
    return settings.stream()
        .filter(file -> file.getFileName().toString().matches(backend + "[-.].*"))
        .toList();
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
