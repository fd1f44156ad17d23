/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.servers.Ports;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A server grants less than the one before it, and leases count on what that one granted; or the
 * session ends.
 */
class ShortenedSessionTest {

  private static final int LONG_MILLIS = 30_000;
  private static final int SHORT_MILLIS = 6_000;

  /** With no server; what one has granted is what the test says. */
  @SuppressWarnings("try") // Its close() may be interrupted.
  private static final class Handle extends ZooKeeper {

    private volatile int granted = LONG_MILLIS;

    Handle() throws IOException {
      super("127.0.0.1:" + Ports.free(), LONG_MILLIS, event -> {});
    }

    @Override
    public int getSessionTimeout() {
      return granted;
    }
  }

  /** Has a lease, and counts how often it is told that it cannot count on the session. */
  private static final class Holder implements SessionMember {

    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public void ended(ZooKeeperSession over) {
      ends.incrementAndGet();
    }

    @Override
    public void watch(ZooKeeperSession now) {}

    @Override
    public void reconnected() {}
  }

  private final Handle handle = new Handle();
  private final ZooKeeperSession session = new ZooKeeperSession(handle);
  private final Holder holder = new Holder();

  ShortenedSessionTest() throws IOException {
    session.add(holder);
  }

  @AfterEach
  void close() throws InterruptedException {
    handle.close();
  }

  private void isToldOnce() {
    session.shortened();
    assertEquals(1, holder.ends.get());
    session.shortened();
    assertEquals(1, holder.ends.get());
  }

  @Test
  void leasesThatCountOnMoreAreEnded() {
    session.leaseTime();
    handle.granted = SHORT_MILLIS;
    isToldOnce();
  }

  /** It may be granted before the client has heard of the other connection. */
  @Test
  void aLeaseThatCountsOnLessDoesNotHideThoseThatCountOnMore() {
    session.leaseTime();
    handle.granted = SHORT_MILLIS;
    assertEquals(Duration.ofMillis(SHORT_MILLIS).multipliedBy(2).dividedBy(3), session.leaseTime());
    isToldOnce();
  }

  @Test
  void leasesThatCountOnLessGoOn() {
    handle.granted = SHORT_MILLIS;
    session.leaseTime();
    session.shortened();
    handle.granted = LONG_MILLIS;
    session.shortened();
    assertEquals(0, holder.ends.get());
  }

  /** A claim takes the session, and it may end before the claim is among those who are told. */
  @Test
  void whoeverComesToASessionThatHasEndedIsToldAsWell() {
    session.end();
    assertEquals(1, holder.ends.get());
    Holder late = new Holder();
    session.add(late);
    assertEquals(1, late.ends.get());
    assertEquals(1, holder.ends.get());
  }
}
