/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KeyValue;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a lock is set while a move of its key to a longer lease has no answer. */
class UnansweredMoveTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long LONGER_SECONDS = 60;

  private static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  private final EtcdHarness scene = new EtcdHarness();
  private final LockKeys keys = new LockKeys("/holdfast", "lock");
  private final EtcdConnection connection = connection();
  private final EtcdBackend backend =
      scene.closing(new EtcdBackend(keys, connection, TimeSource.host()));
  private final EtcdClaim claim = backend.claim(new ClaimRequest("moved", "owner-1", TTL), DEAF);

  private EtcdConnection connection() {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                scene.server.host(), scene.server.port(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    return new EtcdConnection(
        List.of(Member.own(channel, true)), Optional.empty(), Duration.ofSeconds(10));
  }

  /** The move is decided, and its request has not come to etcd. */
  @BeforeEach
  void decideAMove() {
    assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
    ServerLease longer =
        join(
            new Leases(connection, keys.base(), TimeSource.host())
                .grant(LONGER_SECONDS, connection.deadline()));
    QueuedKey.Place place = claim.key().place().orElseThrow();
    assertEquals(Optional.of(longer), claim.key().moving(place, longer, false));
  }

  @AfterEach
  void end() {
    scene.close();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void anEarlierEndIsThatOfTheKey() {
    assertEquals(new RenewalAnswer.Extended(SOON), join(claim.expireIn(SOON)));
    assertEndsSoon();
    assertEquals(ReleaseAnswer.FREED, join(claim.release()));
    assertEquals(List.of(), scene.keys());
  }

  @Test
  void aNameThatStaysTakenIsFreeInTime() {
    assertEquals(ReleaseAnswer.FREED, join(claim.release(SOON)));
    assertEndsSoon();
  }

  private void assertEndsSoon() {
    KeyValue key = scene.administrator.entries(EtcdHarness.KEYS).get(0);
    long left = scene.administrator.secondsLeft(key.getLease());
    assertTrue(left <= SOON.toSeconds(), left + " s are left");
  }
}
