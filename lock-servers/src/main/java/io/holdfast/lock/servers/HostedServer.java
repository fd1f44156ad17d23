/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

/** The common part of the servers of each kind: they run wherever {@link Hosting} has put them. */
abstract class HostedServer implements Server {

  private final Server server;

  HostedServer(Server server) {
    this.server = server;
  }

  @Override
  public String host() {
    return server.host();
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public String describe() {
    return server.describe();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public boolean restartWith(FakeClock clock) {
    return server.restartWith(clock);
  }

  @Override
  public void wipe() {
    server.wipe();
  }

  @Override
  public void suspend() {
    server.suspend();
  }

  @Override
  public void resume() {
    server.resume();
  }

  @Override
  public void close() {
    server.close();
  }
}
