/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Renewals that reach nodes late would prolong a name whose end has been set. */
class LateRenewalTest {

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final RedlockHarness scene = new RedlockHarness(3);
  private final List<TcpProxy> links = scene.links();
  private final RedlockBackend backend =
      scene.closing(
          scene.backend(
              links.stream().map(TcpProxy::port).toList(), Map.of("command-timeout", "10s")));

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void oneThatIsAskedForAfterTheReleaseIsNotSent() {
    RedlockClaim claim = granted("a");
    assertEquals(ReleaseAnswer.FREED, join(claim.release(SOON)));
    assertInstanceOf(RenewalAnswer.Unknown.class, join(renew(claim)));
    untilFree();
  }

  @Test
  void oneThatIsAskedForWhileTheReleaseIsUnderWayIsNotSent() {
    RedlockClaim claim = granted("a");
    stall();
    CompletionStage<ReleaseAnswer> release = claim.release(SOON);
    CompletableFuture<RenewalAnswer> renewal = renew(claim);
    heal();
    assertEquals(ReleaseAnswer.FREED, join(release));
    assertInstanceOf(RenewalAnswer.Unknown.class, join(renewal));
    untilFree();
  }

  /** One whose script the nodes do not know is sent again, behind what was sent meanwhile. */
  @Test
  void oneThatIsSentAgainGoesBeforeTheRelease() {
    RedlockClaim claim = granted("a");
    knowNoRenewals();
    stall();
    CompletableFuture<RenewalAnswer> renewal = renew(claim);
    CompletionStage<ReleaseAnswer> release = claim.release(SOON);
    heal();
    assertEquals(ReleaseAnswer.FREED, join(release));
    assertEquals(new RenewalAnswer.Extended(HOUR), join(renewal));
    untilFree();
  }

  @Test
  void oneThatIsSentAgainGoesBeforeAnEarlierEnd() {
    RedlockClaim claim = granted("a");
    knowNoRenewals();
    stall();
    CompletableFuture<RenewalAnswer> before = renew(claim);
    CompletionStage<RenewalAnswer> end = claim.expireIn(SOON);
    CompletableFuture<RenewalAnswer> meanwhile = renew(claim);
    heal();
    assertEquals(new RenewalAnswer.Extended(SOON), join(end));
    assertEquals(new RenewalAnswer.Extended(HOUR), join(before));
    assertInstanceOf(RenewalAnswer.Unknown.class, join(meanwhile));
    untilFree();
  }

  /** They know the scripts of attempts and releases only. */
  private void knowNoRenewals() {
    scene.servers.forEach(server -> server.command("SCRIPT", "FLUSH"));
    assertEquals(ReleaseAnswer.FREED, join(granted("other").release()));
    RedlockHarness.until("all nodes have carried it out", () -> scene.holding("other") == 0);
  }

  private void untilFree() {
    RedlockHarness.until("no node has it", () -> scene.holding("a") == 0);
  }

  private RedlockClaim granted(String name) {
    RedlockClaim claim =
        backend.claim(new ClaimRequest(name, "owner-of-" + name, Duration.ofMinutes(2)), DEAF);
    assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
    RedlockHarness.until("all nodes have it", () -> scene.holding(name) == 3);
    return claim;
  }

  private void stall() {
    links.forEach(link -> link.stall(Direction.TO_CLIENT));
  }

  private void heal() {
    links.forEach(TcpProxy::heal);
  }

  private CompletableFuture<RenewalAnswer> renew(RedlockClaim claim) {
    return backend
        .renew(List.of(new RenewalRequest<>(claim, HOUR, Duration.ofSeconds(10))))
        .thenApply(answers -> answers.get(0))
        .toCompletableFuture();
  }
}
