/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static io.holdfast.lock.etcd.EtcdHarness.PATIENT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An etcd that allows few operations in a transaction. */
class SmallTransactionsTest {

  private static final Duration TTL = Duration.ofMinutes(2);
  private static final int LEASES = 20;

  private final EtcdHarness harness = new EtcdHarness("--max-txn-ops=4");
  private final EtcdBackend backend = harness.closing(backend());

  @AfterEach
  void close() {
    harness.close();
  }

  private EtcdBackend backend() {
    TimeSource time = TimeSource.host();
    Member member =
        Member.own(
            Grpc.newChannelBuilderForAddress(
                    harness.server.host(),
                    harness.server.port(),
                    InsecureChannelCredentials.create())
                .directExecutor()
                .build(),
            true,
            time);
    return new EtcdBackend(
        new LockKeys("/holdfast", "lock"),
        new EtcdConnection(List.of(member), Optional.empty(), Duration.ofSeconds(10)),
        time);
  }

  @Test
  void moreLeasesThanOneTransactionReadsAreRenewed() {
    List<EtcdClaim> claims = IntStream.range(0, LEASES).mapToObj(i -> claim("n" + i)).toList();
    for (EtcdClaim claim : claims) {
      assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
    }
    renewed(claims);
    double refused = refusedTransactions(harness);
    renewed(claims);
    assertEquals(refused, refusedTransactions(harness), "what was refused once is sent again");
    List<ReleaseAnswer> answers =
        claims.stream().map(EtcdClaim::release).toList().stream().map(ClaimHarness::join).toList();
    assertEquals(List.of(ReleaseAnswer.FREED), answers.stream().distinct().toList());
  }

  @Test
  void sharesAreGrantedWhetherTheyAreWaitedForOrNot() {
    int number = 0;
    for (Share share :
        List.of(Share.LOCK, Share.READ, Share.WRITE, Share.of(1, 2), Share.of(2, 2))) {
      for (boolean waits : List.of(true, false)) {
        ClaimRequest request = new ClaimRequest("s", "owner-" + ++number, TTL, share, waits);
        EtcdClaim claim = backend.claim(request, ClaimHarness.DEAF);
        assertInstanceOf(Attempt.Granted.class, join(claim.attempt()), share::toString);
        assertEquals(ReleaseAnswer.FREED, join(claim.release()));
      }
    }
  }

  /** From then on one after another, so none is asked for behind one that is busy. */
  @Test
  void severalLocksAreAskedForTogetherOnce() throws InterruptedException {
    LockClient client = harness.client(PATIENT);
    List<String> names = IntStream.range(0, 10).mapToObj(i -> "n" + i).toList();
    assertEquals(
        ReleaseOutcome.RELEASED, client.allOf(names, EtcdHarness.LONG).acquire().release());
    Lease busy = harness.client(PATIENT).lock("n5", EtcdHarness.LONG).acquire();
    double before = harness.transactions();
    assertTrue(client.allOf(names, EtcdHarness.LONG).tryAcquire().isEmpty());
    EtcdHarness.until("no other key", () -> harness.keys().size() == 1);
    assertEquals(6 + 5, harness.transactions() - before, "six are asked for, and five given back");
    assertEquals(ReleaseOutcome.RELEASED, busy.release());
    Lease lease = client.allOf(names, EtcdHarness.LONG).acquire();
    assertEquals(10, harness.keys().size());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of(), harness.keys());
  }

  /** For 16, ten locks are few enough, and twenty are too many. */
  @Test
  void aTransactionThatIsTooLargeIsSentInHalves() throws InterruptedException {
    try (EtcdHarness scene = new EtcdHarness("--max-txn-ops=16")) {
      LockClient client = scene.client(PATIENT);
      double before = scene.transactions();
      List<String> names = IntStream.range(0, 20).mapToObj(i -> "n" + i).toList();
      Lease lease = client.allOf(names, EtcdHarness.LONG).acquire();
      assertEquals(20, scene.keys().size());
      assertEquals(1, refusedTransactions(scene));
      assertEquals(1 + 2, scene.transactions() - before);
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
      assertEquals(List.of(), scene.keys());
      assertEquals(1, refusedTransactions(scene), "what is too large is sent again");
      double freedBy = scene.transactions() - before - 3;
      assertTrue(freedBy < 10, "twenty locks are freed by " + freedBy + " transactions");
    }
  }

  private void renewed(List<EtcdClaim> claims) {
    List<RenewalRequest<EtcdClaim>> requests =
        claims.stream().map(one -> new RenewalRequest<>(one, TTL, Duration.ofSeconds(30))).toList();
    for (RenewalAnswer answer : join(backend.renew(requests))) {
      assertInstanceOf(RenewalAnswer.Extended.class, answer, answer::toString);
    }
  }

  private static double refusedTransactions(EtcdHarness scene) {
    return scene.server.metric(
        "grpc_server_handled_total",
        labels -> labels.contains("\"Txn\"") && labels.contains("\"InvalidArgument\""));
  }

  private EtcdClaim claim(String name) {
    return backend.claim(new ClaimRequest(name, "owner-" + name, TTL), ClaimHarness.DEAF);
  }
}
