/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Renewals that reach the server late would prolong a name whose end has been set. */
class LateRenewalTest {

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final RedisHarness scene = new RedisHarness();
  private final TcpProxy link = scene.link();
  private final RedisBackend backend = scene.closing(open(link));

  private static RedisBackend open(TcpProxy link) {
    Map<String, String> settings = new HashMap<>(RedisFixture.settings(link.host(), link.port()));
    settings.remove("provider");
    settings.put("command-timeout", "10s");
    return (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings));
  }

  @AfterEach
  void end() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneThatIsAskedForAfterTheReleaseIsNotSent(int capacity) {
    RedisClaim claim = granted("owner-1", capacity);
    assertEquals(ReleaseAnswer.FREED, join(claim.release(SOON)));
    assertInstanceOf(RenewalAnswer.Unknown.class, join(renew(claim)));
    untilGranted(capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneThatIsAskedForWhileTheReleaseIsUnderWayIsNotSent(int capacity) {
    RedisClaim claim = granted("owner-1", capacity);
    link.stall(Direction.TO_CLIENT);
    CompletionStage<ReleaseAnswer> release = claim.release(SOON);
    CompletableFuture<RenewalAnswer> renewal = renew(claim);
    link.heal();
    assertEquals(ReleaseAnswer.FREED, join(release));
    assertInstanceOf(RenewalAnswer.Unknown.class, join(renewal));
    untilGranted(capacity);
  }

  /** One whose script the server does not know is sent again, behind what was sent meanwhile. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneThatIsSentAgainGoesBeforeTheRelease(int capacity) {
    RedisClaim claim = granted("owner-1", capacity);
    knowsNoRenewals(capacity);
    link.stall(Direction.TO_CLIENT);
    CompletableFuture<RenewalAnswer> renewal = renew(claim);
    CompletionStage<ReleaseAnswer> release = claim.release(SOON);
    link.heal();
    assertEquals(ReleaseAnswer.FREED, join(release));
    assertEquals(new RenewalAnswer.Extended(HOUR), join(renewal));
    untilGranted(capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneThatIsSentAgainGoesBeforeAnEarlierEnd(int capacity) {
    RedisClaim claim = granted("owner-1", capacity);
    knowsNoRenewals(capacity);
    link.stall(Direction.TO_CLIENT);
    CompletableFuture<RenewalAnswer> before = renew(claim);
    CompletionStage<RenewalAnswer> end = claim.expireIn(SOON);
    CompletableFuture<RenewalAnswer> meanwhile = renew(claim);
    link.heal();
    assertEquals(new RenewalAnswer.Extended(SOON), join(end));
    assertEquals(new RenewalAnswer.Extended(HOUR), join(before));
    assertInstanceOf(RenewalAnswer.Unknown.class, join(meanwhile));
    untilGranted(capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneThatIsAskedForAfterAnEarlierEndCounts(int capacity) {
    RedisClaim claim = granted("owner-1", capacity);
    Duration later = Duration.ofMinutes(1);
    assertEquals(new RenewalAnswer.Extended(later), join(claim.expireIn(later)));
    assertEquals(new RenewalAnswer.Extended(HOUR), join(renew(claim)));
    assertEquals(ReleaseAnswer.FREED, join(claim.release(SOON)));
    untilGranted(capacity);
  }

  /** The others of its request are sent without it. */
  @Test
  void oneThatIsNotSentHasNoAnswerOfAnother() {
    RedisClaim ended = granted("owner-1", 1);
    RedisClaim gone = claim("gone", "owner-2", 1);
    RedisClaim held = claim("held", "owner-3", 1);
    assertInstanceOf(Attempt.Granted.class, join(gone.attempt()));
    assertInstanceOf(Attempt.Granted.class, join(held.attempt()));
    assertEquals(ReleaseAnswer.FREED, join(ended.release(HOUR)));
    scene.server.command("DEL", scene.server.values("KEYS", "*:gone").get(0));
    RenewalAnswer lost = new RenewalAnswer.Lost(LossReason.REVOKED);
    RenewalAnswer extended = new RenewalAnswer.Extended(HOUR);
    List<RenewalAnswer> first = renew(List.of(ended, gone, held));
    assertInstanceOf(RenewalAnswer.Unknown.class, first.get(0));
    assertEquals(List.of(lost, extended), first.subList(1, 3));
    List<RenewalAnswer> second = renew(List.of(held, ended, gone));
    assertInstanceOf(RenewalAnswer.Unknown.class, second.get(1));
    assertEquals(List.of(extended, lost), List.of(second.get(0), second.get(2)));
  }

  /** As a minimum hold that is longer than the lock's time was. */
  @Test
  void oneThatIsShorterTakesNothingOfALaterEnd() {
    RedisClaim claim = granted("owner-1", 1);
    assertEquals(new RenewalAnswer.Extended(HOUR), join(claim.expireIn(HOUR)));
    assertInstanceOf(RenewalAnswer.Extended.class, join(renew(claim, Duration.ofSeconds(1))));
    assertInstanceOf(RenewalAnswer.Extended.class, join(renew(claim, Duration.ofSeconds(1))));
    long left =
        Long.parseLong(scene.server.command("PTTL", scene.server.values("KEYS", "*:a").get(0)));
    assertTrue(left > Duration.ofMinutes(50).toMillis(), left + " ms are left");
  }

  /** It knows the scripts of attempts and releases only. */
  private void knowsNoRenewals(int capacity) {
    scene.server.command("SCRIPT", "FLUSH");
    RedisClaim other = claim("other", "owner-3", capacity);
    assertInstanceOf(Attempt.Granted.class, join(other.attempt()));
    assertEquals(ReleaseAnswer.FREED, join(other.release()));
  }

  private void untilGranted(int capacity) {
    RedisClaim next = claim("a", "owner-2", capacity);
    RedisHarness.until("the name is free", () -> join(next.attempt()) instanceof Attempt.Granted);
  }

  private RedisClaim granted(String owner, int capacity) {
    RedisClaim claim = claim("a", owner, capacity);
    assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
    return claim;
  }

  /** All permits, so that it is like a lock. */
  private RedisClaim claim(String name, String owner, int capacity) {
    return backend.claim(
        new ClaimRequest(name, owner, Duration.ofMinutes(2), Share.of(capacity, capacity)),
        RedisHarness.DEAF);
  }

  private CompletableFuture<RenewalAnswer> renew(RedisClaim claim) {
    return renew(claim, HOUR);
  }

  private CompletableFuture<RenewalAnswer> renew(RedisClaim claim, Duration ttl) {
    return backend
        .renew(List.of(new RenewalRequest<>(claim, ttl, Duration.ofSeconds(10))))
        .thenApply(answers -> answers.get(0))
        .toCompletableFuture();
  }

  private List<RenewalAnswer> renew(List<RedisClaim> claims) {
    return join(
        backend.renew(
            claims.stream()
                .map(claim -> new RenewalRequest<>(claim, HOUR, Duration.ofSeconds(10)))
                .toList()));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
