/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ShareAsker.join;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The holders of a name, which change faster than a client far away can look at each. */
class BusyNameTest extends OneServerTestBase {

  private int number;

  private ShareAsker asker(ZooKeeperBackend backend) {
    return new ShareAsker(
        backend, new ClaimRequest("a", "owner-" + ++number, Duration.ofMinutes(2), Share.of(1, 5)));
  }

  @Test
  void oneThatStaysIsToldThoughOthersComeAndGo() {
    ZooKeeperBackend backend = harness.backend();
    long stays = asker(backend).granted();
    TcpProxy link = harness.proxy();
    ZooKeeperBackend looking = harness.backend(link);
    // In which several have come and gone.
    link.delay(Direction.TO_CLIENT, Duration.ofMillis(100));
    ShareAsker last = asker(backend);
    last.granted();
    CompletableFuture<List<LockHolder>> told =
        looking.inspection().orElseThrow().holders("a").toCompletableFuture();
    while (!told.isDone()) {
      ShareAsker next = asker(backend);
      next.granted();
      last.freed();
      last = next;
    }
    LockHolder first = join(told).get(0);
    assertEquals(OptionalLong.of(stays), first.fencingToken());
    assertEquals(Optional.of("owner-1"), first.ownerId());
  }
}
