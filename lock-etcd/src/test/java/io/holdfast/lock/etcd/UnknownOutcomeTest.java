/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests whose answers never come. */
class UnknownOutcomeTest {

  private static final Duration SOON = Duration.ofSeconds(15);
  private static final Map<String, String> IMPATIENT = Map.of("command-timeout", "300ms");

  private static EtcdHarness scene;

  @BeforeAll
  static void start() {
    scene = new EtcdHarness();
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  private static void nothingIsLeft() {
    until("no key is left", () -> scene.keys().isEmpty());
  }

  /** The whole clean-up rests on this. */
  @Test
  void etcdRefusesATransactionWhoseLeaseWasRevoked() {
    long lease =
        scene
            .administrator
            .lease()
            .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(60).build())
            .getID();
    scene.administrator.lease().leaseRevoke(LeaseRevokeRequest.newBuilder().setID(lease).build());
    ByteString queue = new LockKeys("/other", "lock").queue("revoked");
    ByteString key = queue.concat(ByteString.copyFromUtf8("owner"));
    StatusRuntimeException refusal =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                scene
                    .administrator
                    .kv()
                    .txn(LockRequests.join(queue, key, ByteString.EMPTY, Share.LOCK, true, lease)));
    assertEquals(Status.Code.NOT_FOUND, refusal.getStatus().getCode());
    assertTrue(scene.administrator.keys("/other/").isEmpty());
  }

  @Test
  void aKeyWhosePutWasNotConfirmedIsRemoved() throws Exception {
    TcpProxy link = scene.link();
    try (LockClient client = scene.client(link, IMPATIENT)) {
      for (int i = 0; i < 5; i++) {
        link.loseNextReply();
        try {
          client.lock("put", LONG).tryAcquire().ifPresent(Lease::close);
        } catch (LockException expected) {
          nothingIsLeft();
        }
        link.heal();
        client.lock("put", LONG).acquire(SOON).close();
        nothingIsLeft();
      }
    }
  }

  /** The put is sent, the caller is told that it failed, and it is carried out afterwards. */
  @Test
  void aPutThatIsCarriedOutLateIsUndone() throws Exception {
    TcpProxy link = scene.link();
    try (LockClient client = scene.client(link, IMPATIENT)) {
      for (int i = 0; i < 5; i++) {
        client.lock("warm", LONG).acquire(SOON).close();
        link.stall(Direction.TO_SERVER);
        assertThrows(LockException.class, () -> client.lock("late", LONG).tryAcquire());
        link.heal();
        client.lock("late", LONG).acquire(SOON).close();
        Conditions.settles(
            "no key is left",
            EtcdHarness.PATIENCE,
            Duration.ofMillis(300),
            () -> scene.keys().isEmpty());
      }
    }
  }

  @Test
  void aReleaseWhoseAnswerIsLostFreesTheLock() throws Exception {
    TcpProxy link = scene.link();
    try (LockClient client = scene.client(link, IMPATIENT);
        LockClient other = scene.client()) {
      for (int i = 0; i < 5; i++) {
        Lease lease = client.lock("release", LONG).acquire(SOON);
        link.loseNextReply();
        lease.release();
        try (Lease next = other.lock("release", LONG).acquire(SOON)) {
          link.heal();
          Conditions.stays("nobody takes it away", Duration.ofMillis(100), next::isValid);
        }
      }
      nothingIsLeft();
    }
  }

  @Test
  void aMoveToALongerLeaseWhoseAnswerIsLostIsResolved() throws Exception {
    TcpProxy link = scene.link();
    try (LockClient client = scene.client(link, IMPATIENT);
        LockClient other = scene.client()) {
      for (int i = 0; i < 5; i++) {
        Lease lease = client.lock("move", EtcdHarness.RENEWED).acquire(SOON);
        link.loseNextReply();
        try {
          lease.extend(Duration.ofSeconds(20));
        } catch (LockException expected) {
          // Nothing could be known at that time.
        }
        link.heal();
        // It is renewed twice.
        Conditions.stays("still held", Duration.ofSeconds(3), lease::isValid);
        assertTrue(other.lock("move", LONG).tryAcquire().isEmpty());
        lease.release();
        other.lock("move", LONG).acquire(SOON).close();
        nothingIsLeft();
      }
    }
  }
}
