/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.util.List;
import java.util.stream.Collectors;

/** Several servers, treated alike: what is done to the group is done to each of them. */
public final class ServerGroup implements Server {

  private final List<? extends Server> servers;

  private ServerGroup(List<? extends Server> servers) {
    this.servers = List.copyOf(servers);
  }

  /**
   * Makes a group.
   *
   * @param servers one or more, which it owns from now on
   * @return a group
   */
  public static ServerGroup of(List<? extends Server> servers) {
    return new ServerGroup(servers);
  }

  /**
   * Each of them.
   *
   * @return in the order in which they were given
   */
  public List<? extends Server> servers() {
    return servers;
  }

  /** Of the first. */
  @Override
  public String host() {
    return servers.get(0).host();
  }

  /** Of the first. */
  @Override
  public int port() {
    return servers.get(0).port();
  }

  @Override
  public String describe() {
    return servers.stream().map(Server::describe).collect(Collectors.joining("; "));
  }

  @Override
  public void stop() {
    servers.forEach(Server::stop);
  }

  @Override
  public void kill() {
    servers.forEach(Server::kill);
  }

  @Override
  public void start() {
    servers.forEach(Server::start);
  }

  @Override
  public void wipe() {
    servers.forEach(Server::wipe);
  }

  @Override
  public void suspend() {
    servers.forEach(Server::suspend);
  }

  @Override
  public void resume() {
    servers.forEach(Server::resume);
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
