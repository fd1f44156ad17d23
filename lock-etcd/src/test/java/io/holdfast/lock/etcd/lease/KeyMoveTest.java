/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.FakeCall;
import io.holdfast.lock.etcd.client.FakeChannel;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.client.SetTime;
import io.holdfast.lock.etcd.client.Transactions;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.QueueEntry;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the requests to etcd that set the end of a lock. */
class KeyMoveTest {

  private static final Duration TTL = Duration.ofMinutes(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SetTime time = new SetTime();
  private final FakeChannel channel = FakeChannel.answering();
  private final EtcdConnection link =
      new EtcdConnection(
          List.of(Member.own(channel, true, time)), Optional.empty(), Duration.ofSeconds(60));
  private final LockKeys keys = new LockKeys("/holdfast", "lock");
  private final Leases leases = new Leases(link, keys.base(), time);
  private final QueuedKey key =
      new QueuedKey(
          new QueueEntry(keys, new ClaimRequest("order", "owner", TTL, Share.LOCK)), () -> 0);

  KeyMoveTest() {
    key.joining(new ServerLease(7, 660, TTL, 3, 0));
    key.joined(71, 71);
  }

  private CompletableFuture<Optional<ServerLease>> endsInAMinute() {
    return new KeyMove(leases, new Transactions(link), key, key.endsIn(MINUTE), link.deadline())
        .toEndIn(MINUTE);
  }

  private static TxnResponse read(RangeResponse key) {
    return TxnResponse.newBuilder()
        .addResponses(ResponseOp.newBuilder().setResponseRange(key))
        .build();
  }

  /** An administrator has deleted it: the lock is lost. */
  @Test
  void theEndOfAKeyThatIsGoneIsNotSet() {
    CompletableFuture<Optional<ServerLease>> moved = endsInAMinute();
    channel.lastCall().answer(read(RangeResponse.getDefaultInstance()));
    assertEquals(Optional.empty(), moved.getNow(Optional.of(new ServerLease(8, 60, TTL, 3, 0))));
    assertEquals(1, channel.calls.size(), "no lease is asked for");
  }

  /** A name that is released early would stay taken for longer. */
  @Test
  void theLeaseOfAnEndIsNoLongerThanThat() {
    CompletableFuture<Optional<ServerLease>> moved = endsInAMinute();
    KeyValue there =
        KeyValue.newBuilder().setCreateRevision(71).setModRevision(71).setLease(7).build();
    channel.lastCall().answer(read(RangeResponse.newBuilder().addKvs(there).build()));
    assertEquals(
        MINUTE.toSeconds(),
        assertInstanceOf(LeaseGrantRequest.class, channel.lastCall().sent.get(0)).getTTL());
    channel
        .lastCall()
        .answer(LeaseGrantResponse.newBuilder().setID(8).setTTL(MINUTE.toSeconds()).build());
    FakeCall<?, ?> move = channel.lastCall();
    TxnRequest put = assertInstanceOf(TxnRequest.class, move.sent.get(0));
    assertEquals(8, put.getSuccess(0).getRequestPut().getLease());
    move.answer(
        TxnResponse.newBuilder()
            .setHeader(ResponseHeader.newBuilder().setRevision(72))
            .setSucceeded(true)
            .build());
    assertTrue(moved.isDone());
    assertEquals(Optional.of(8L), moved.join().map(lease -> lease.id));
  }
}
