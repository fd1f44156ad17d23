/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A node that has not answered when a lock was given an earlier end. */
class EarlierEndTest {

  private static final Duration SOONER = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LATER = Duration.ofMinutes(2);

  @Test
  void aNodeThatMayEndTheLockSoonerDoesNotCountForARenewal() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      try (RedlockBackend backend = backend(scene, links, "10s")) {
        RedlockClaim claim = granted(scene, backend);
        links.get(2).stall(Direction.TO_SERVER);
        assertEquals(new RenewalAnswer.Extended(SOONER), join(claim.expireIn(SOONER)));
        scene.server(1).kill();
        assertInstanceOf(RenewalAnswer.Unknown.class, renewed(backend, claim));

        links.get(2).heal();
        RedlockHarness.until(
            "the end is answered",
            () -> renewed(backend, claim).equals(new RenewalAnswer.Extended(LATER)));
      }
    }
  }

  @Test
  void norDoesOneThatHasNotAnsweredInTime() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      try (RedlockBackend backend = backend(scene, links, "2s")) {
        RedlockClaim claim = granted(scene, backend);
        links.get(2).stall(Direction.TO_SERVER);
        assertThrows(CompletionException.class, () -> join(claim.claims().expireIn(2, SOONER)));
        links.get(2).heal();
        scene.server(1).kill();
        RedlockHarness.until(
            "it answers again",
            () -> {
              assertInstanceOf(RenewalAnswer.Unknown.class, renewed(backend, claim));
              return RedlockHarness.millisLeft(scene.server(2), "a") > SOON.toMillis();
            });
        assertInstanceOf(RenewalAnswer.Unknown.class, renewed(backend, claim));
      }
    }
  }

  @Test
  void oneThatHasRefusedTheEndCountsWhenItAnswersAgain() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      String[] user = {"ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all"};
      scene.servers.forEach(server -> server.command(user));
      Map<String, String> settings =
          Map.of("command-timeout", "10s", "username", "app", "password", "secret");
      try (RedlockBackend backend = scene.backend(settings)) {
        RedlockClaim claim = granted(scene, backend);
        scene.server(2).command("ACL", "SETUSER", "app", "-eval", "-evalsha");
        CompletionException refused =
            assertThrows(CompletionException.class, () -> join(claim.claims().expireIn(2, SOONER)));
        assertInstanceOf(LockRejectedException.class, refused.getCause());
        scene.server(2).command("ACL", "SETUSER", "app", "+eval", "+evalsha");
        scene.server(1).kill();
        RedlockHarness.until(
            "it is renewed by the two others",
            () -> renewed(backend, claim).equals(new RenewalAnswer.Extended(LATER)));
      }
    }
  }

  /** Nothing was sent, so nothing can arrive later. */
  @Test
  void oneThatCouldNotBeToldTheEndCountsWhenItIsBack() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      try (RedlockBackend backend = backend(scene, links, "10s")) {
        RedlockClaim claim = granted(scene, backend);
        RedlockClaim probe = backend.claim(new ClaimRequest("probe", "owner-2", SOON), DEAF);
        links.get(2).refuse();
        RedlockHarness.until("there is no connection", () -> !isReached(probe));
        CompletionException untold =
            assertThrows(CompletionException.class, () -> join(claim.claims().expireIn(2, SOONER)));
        assertInstanceOf(LockUnavailableException.class, untold.getCause());
        links.get(2).heal();
        RedlockHarness.until("it is back", () -> isReached(probe));
        scene.server(1).kill();
        RedlockHarness.until(
            "it is renewed by the two others",
            () -> renewed(backend, claim).equals(new RenewalAnswer.Extended(LATER)));
      }
    }
  }

  private static boolean isReached(RedlockClaim probe) {
    return probe.claims().acquire(2, 0).handle((answer, failure) -> failure == null).join();
  }

  @Test
  void aLockThatAQuorumHasLostIsToldAsLost() {
    try (RedlockHarness scene = new RedlockHarness(3);
        RedlockBackend backend = scene.backend()) {
      RedlockClaim claim = granted(scene, backend);
      scene.server(0).command("DEL", "lock:a");
      scene.server(1).command("DEL", "lock:a");
      assertEquals(new RenewalAnswer.Lost(LossReason.REVOKED), join(claim.expireIn(SOONER)));
      assertEquals(ReleaseAnswer.NOT_OURS, join(claim.release()));
    }
  }

  private static RedlockBackend backend(
      RedlockHarness scene, List<TcpProxy> links, String commandTimeout) {
    return scene.backend(
        links.stream().map(TcpProxy::port).toList(), Map.of("command-timeout", commandTimeout));
  }

  private static RedlockClaim granted(RedlockHarness scene, RedlockBackend backend) {
    RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-1", SOON), DEAF);
    assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
    RedlockHarness.until("all nodes have it", () -> scene.holding("a") == 3);
    return claim;
  }

  private static RenewalAnswer renewed(RedlockBackend backend, RedlockClaim claim) {
    return join(backend.renew(List.of(new RenewalRequest<>(claim, LATER, Duration.ofSeconds(10)))))
        .get(0);
  }
}
