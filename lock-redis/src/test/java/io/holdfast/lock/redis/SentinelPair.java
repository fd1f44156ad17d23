/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;

import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ServerGroup;
import java.time.Duration;
import java.util.List;

/**
 * The primary and its replica, to be stopped and suspended together. The sentinels are told to wait
 * meanwhile: of two that come back, they might take the one for dead and prefer the other.
 */
final class SentinelPair implements Server {

  private static final Duration FOR_GOOD = Duration.ofHours(1);

  private final SentinelTrio trio;
  private final ServerGroup both;

  SentinelPair(SentinelTrio trio) {
    this.trio = trio;
    this.both = ServerGroup.of(List.of(trio.primary, trio.replica));
  }

  @Override
  public String host() {
    return both.host();
  }

  @Override
  public int port() {
    return both.port();
  }

  @Override
  public String describe() {
    return both.describe();
  }

  @Override
  public void stop() {
    letWait(FOR_GOOD);
    both.stop();
  }

  @Override
  public void kill() {
    letWait(FOR_GOOD);
    both.kill();
  }

  /** Each gets its part again, which is not among the arguments that it was started with. */
  @Override
  public void start() {
    RedisServer current = trio.current();
    RedisServer other = trio.other(current);
    both.start();
    current.command("REPLICAOF", "NO", "ONE");
    other.command("REPLICAOF", current.host(), "" + current.port());
    until("the replica is in step", () -> SentinelTrio.isInStep(other));
    watchAgain();
  }

  @Override
  public void wipe() {
    both.wipe();
  }

  @Override
  public void suspend() {
    letWait(FOR_GOOD);
    both.suspend();
  }

  @Override
  public void resume() {
    both.resume();
    watchAgain();
  }

  private void watchAgain() {
    until(
        "the sentinels hear the primary",
        () -> trio.sentinels.stream().allMatch(one -> one.primaryIsHeard()));
    letWait(SentinelTrio.DOWN_AFTER);
  }

  private void letWait(Duration silence) {
    trio.sentinels.forEach(
        one -> one.command("SET", "prime", "down-after-milliseconds", "" + silence.toMillis()));
  }

  @Override
  public void close() {
    both.close();
  }
}
