/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static io.holdfast.lock.servers.Conditions.stays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Renewals that stay without an answer for a while, and extensions that cross each other. */
class RenewalTest {

  /** Longer than any lease here, so that no time-out of a request saves one. */
  private static final Map<String, String> PATIENT = Map.of("command-timeout", "10s");

  /** Where nothing may be lost: a busy machine can take a second from anybody. */
  private static final LockOptions KEPT = SHORT.withTtl(Duration.ofSeconds(9));

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  /** As when a network forgets a connection: neither an answer nor an end. */
  @Test
  void aSilentLinkIsLeftForAnotherInTime() throws Exception {
    TcpProxy silent = scene.link();
    TcpProxy good = scene.link();
    String endpoints =
        "http://%s:%d,http://%s:%d"
            .formatted(silent.host(), silent.port(), good.host(), good.port());
    LockClient client = scene.client(endpoints, PATIENT);
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      leases.add(client.lock("silent" + i, KEPT).acquire());
    }
    assertEquals(0, good.connections());
    silent.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    stays(
        "all leases are held",
        KEPT.ttl().multipliedBy(3),
        () -> leases.stream().allMatch(Lease::isValid));
    for (Lease lease : leases) {
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
    }
  }

  @Test
  void aSilenceThatLeavesTimeForAnotherTryIsNoLoss() throws Exception {
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, PATIENT);
    Lease lease = client.lock("silence", KEPT).acquire();
    for (int i = 0; i < 3; i++) {
      renewedJustNow(lease);
      link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
      // The next renewal is due after a third, and the validity would end after the whole.
      stays("held", KEPT.ttl().dividedBy(2), lease::isValid);
      link.heal();
    }
    renewedJustNow(lease);
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  @Test
  void anInterceptorThatThrowsEndsNoRenewalsForGood() {
    ThrowingCalls throwing = new ThrowingCalls(LeaseGrpc.getLeaseKeepAliveMethod());
    Duration ttl = Duration.ofSeconds(30);
    try (ClaimHarness scene = new ClaimHarness(ttl, throwing)) {
      // The key moves to another lease, as the term was not known when this one was granted.
      assertInstanceOf(RenewalAnswer.Extended.class, ClaimHarness.join(scene.renew(ttl)));
      assertInstanceOf(RenewalAnswer.Unknown.class, ClaimHarness.join(scene.renew(ttl)));
      throwing.end();
      assertInstanceOf(RenewalAnswer.Extended.class, ClaimHarness.join(scene.renew(ttl)));
    }
  }

  private static void renewedJustNow(Lease lease) {
    Duration almostAll = KEPT.ttl().multipliedBy(9).dividedBy(10);
    until("a renewal", () -> lease.remaining().compareTo(almostAll) > 0);
  }

  /** The holder's word has to hold whichever of them etcd carries out last. */
  @Test
  void extensionsThatCrossEachOtherPromiseNoMoreThanEtcdKeeps() throws Exception {
    LockClient client = scene.client();
    for (int round = 0; round < 20; round++) {
      Lease lease = client.lock("crossing" + round, SHORT.withRenewal(Renewal.none())).acquire();
      List<Integer> lengths = IntStream.range(0, 10).boxed().collect(Collectors.toList());
      Collections.shuffle(lengths);
      List<CompletableFuture<Void>> extensions =
          lengths.stream()
              .map(length -> lease.extendAsync(Duration.ofSeconds(3 + 4L * length)))
              .toList();
      for (CompletableFuture<Void> extension : extensions) {
        get(extension);
      }
      // Up to 39 s; what one move has not been told yet is not counted on by another.
      assertTrue(lease.remaining().toSeconds() > 25, "extended to " + lease.remaining());
      Duration believed = lease.remaining();
      long kept = scene.administrator.secondsLeft(only(lease.lockName()).getLease());
      assertTrue(
          kept >= believed.toSeconds(),
          "the holder believed for " + believed + ", and etcd keeps it for " + kept);
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
    }
    assertTrue(scene.keys().isEmpty());
  }

  @Test
  void aMoveThatIsCarriedOutLateChangesNothing() {
    ByteString owner = ByteString.copyFromUtf8("owner");
    ByteString queue = new LockKeys("/holdfast", "lock").queue("late");
    long first = grant(60);
    ByteString key = LockKeys.contender(queue, first, Share.Mode.LOCK);
    long joined =
        scene
            .administrator
            .kv()
            .txn(LockRequests.join(queue, key, owner, Share.LOCK, true, first))
            .getHeader()
            .getRevision();
    long longer = grant(120);
    assertTrue(scene.administrator.kv().txn(LockRequests.move(key, joined, longer)).getSucceeded());
    assertFalse(
        scene.administrator.kv().txn(LockRequests.move(key, joined, grant(90))).getSucceeded());
    assertEquals(longer, only("late").getLease());
  }

  @Test
  void aReleaseWhileExtensionsAreUnderWayLeavesNothingAndHarmsNobody() throws Exception {
    LockClient client = scene.client();
    for (int round = 0; round < 40; round++) {
      Lease lease = client.lock("released", SHORT.withRenewal(Renewal.none())).acquire();
      for (int i = 0; i < 4; i++) {
        lease.extendAsync(Duration.ofSeconds(10 + 10L * i));
      }
      CompletableFuture<ReleaseOutcome> released = lease.releaseAsync();
      // It may be given the lease that was just given back.
      Lease next = client.lock("next", LONG).acquire();
      assertEquals(ReleaseOutcome.RELEASED, get(released));
      assertTrue(only("next").getLease() > 0, "its key is gone");
      assertEquals(ReleaseOutcome.RELEASED, next.release());
    }
    until("no key is left", () -> scene.keys().isEmpty());
  }

  /** As administrators end them, who see which lease a key hangs on, and end that. */
  @Test
  void aLockThatIsMovedWhileLeasesAreEndedIsGoneWithThem() throws Exception {
    LockClient client = scene.client();
    for (int round = 0; round < 20; round++) {
      Lease lease = client.lock("ended", SHORT).acquire();
      CompletableFuture<?> moved = lease.extendAsync(Duration.ofSeconds(10));
      scene.administrator.revokeLeases(EtcdHarness.KEYS);
      assertEquals(List.of(), scene.keys());
      until("the extension is answered", moved::isDone);
      assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    }
  }

  private long grant(long seconds) {
    return scene
        .administrator
        .lease()
        .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(seconds).build())
        .getID();
  }

  private KeyValue only(String lockName) {
    List<KeyValue> queue = scene.administrator.entries("/holdfast/lock/" + lockName + "/");
    assertEquals(1, queue.size(), "contenders for " + lockName);
    return queue.get(0);
  }
}
