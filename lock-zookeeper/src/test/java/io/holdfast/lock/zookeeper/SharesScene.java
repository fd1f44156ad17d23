/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ShareAsker.join;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;

/** Asks one backend for shares of names, and for their holders. */
abstract class SharesScene {

  private static final Duration TTL = Duration.ofMinutes(2);

  private final ZooKeeperHarness harness = new ZooKeeperHarness();
  private final AtomicInteger owners = new AtomicInteger();
  private final ZooKeeperBackend backend = harness.backend();
  final ZooKeeper administrator = harness.administrator();

  @AfterEach
  void end() {
    harness.close();
  }

  ShareAsker asker(Share share) {
    return asker(share, true);
  }

  ShareAsker asker(Share share, boolean waits) {
    return asker("a", share, waits);
  }

  ShareAsker asker(String name, Share share, boolean waits) {
    return new ShareAsker(
        backend, new ClaimRequest(name, "owner-" + owners.incrementAndGet(), TTL, share, waits));
  }

  LockInspection inspection() {
    return backend.inspection().orElseThrow();
  }

  RenewalAnswer extended(ShareAsker contender) {
    assertFalse(contender.claim.hasLostSession());
    return new RenewalAnswer.Extended(ZooKeeperHarness.LASTING.multipliedBy(2).dividedBy(3));
  }

  List<RenewalAnswer> renew(ShareAsker... contenders) {
    return join(
        backend.renew(
            List.of(contenders).stream()
                .map(one -> new RenewalRequest<>(one.claim, TTL, Duration.ofSeconds(10)))
                .toList()));
  }
}
