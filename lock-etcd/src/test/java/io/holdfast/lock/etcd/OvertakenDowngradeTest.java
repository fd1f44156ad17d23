/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ShareAsker.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.PutRequest;
import io.grpc.ClientInterceptor;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A downgrade reads the key and then changes it; in between, a renewal may move it. */
class OvertakenDowngradeTest {

  @Test
  void itIsTriedAgain() throws Exception {
    try (EtcdHarness scene = new EtcdHarness()) {
      BeforeCall overtaking = BeforeCall.transaction();
      EtcdBackend backend = scene.closing(backend(scene, overtaking));
      ShareAsker writer =
          new ShareAsker(
              backend, new ClaimRequest("rw", "owner", Duration.ofMinutes(1), Share.WRITE));
      writer.granted();
      overtaking.take(() -> put(scene, writer.claim.key().name()));
      assertEquals(ReleaseAnswer.FREED, answer(writer.claim.reduceTo(1)));
      assertTrue(overtaking.isTaken());
      List<LockHolder> holders = answer(backend.inspection().orElseThrow().holders("rw"));
      assertEquals(List.of(Share.READ), holders.stream().map(LockHolder::share).toList());
      writer.release();
      assertTrue(scene.keys().isEmpty());
    }
  }

  /** Changes nothing but when the key was changed, as a move to another lease does. */
  private static void put(EtcdHarness scene, ByteString key) {
    PutRequest.Builder same = PutRequest.newBuilder().setKey(key).setIgnoreValue(true);
    scene.administrator.kv().put(same.setIgnoreLease(true).build());
  }

  /** Answers are on threads of their own, so that one of them can wait for the administrator. */
  private static EtcdBackend backend(EtcdHarness scene, ClientInterceptor interceptor) {
    TimeSource time = TimeSource.host();
    Member member = Member.own(scene.channel(interceptor), true, time);
    return new EtcdBackend(
        new LockKeys("/holdfast", "lock"),
        new EtcdConnection(List.of(member), Optional.empty(), Duration.ofSeconds(10)),
        time);
  }
}
