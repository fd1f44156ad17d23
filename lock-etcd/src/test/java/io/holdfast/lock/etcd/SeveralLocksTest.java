/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static io.holdfast.lock.etcd.EtcdHarness.PATIENT;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.support.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks that are held together. Nothing here ends by its TTL. */
class SeveralLocksTest {

  private static final List<String> NAMES = names("n", 10);

  /** Leases in stock are good for some minutes without a request, which a link may hold up. */
  private static final LockOptions LONG = LockOptions.defaults().withTtl(Duration.ofHours(1));

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  /**
   * In their natural order. Where transactions are counted, names that the client has not used
   * before: while another thread has not quite ended the last step of one, its next step is left to
   * that thread, and goes out by itself.
   */
  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + (100 + i)).toList();
  }

  /** The names in whose queues somebody is. */
  private List<String> queued() {
    return List.copyOf(
        scene.keys().stream()
            .map(key -> key.split("/", -1)[3])
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  private void assertFreesAll(Lease lease) {
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of(), queued());
  }

  private void awaitQueued(List<String> names) {
    until("keys of " + names, () -> queued().equals(names));
  }

  /** Also the first time, when there is no lease in stock, and each has to be granted. */
  @Test
  void theyAreTakenInOneTransactionAndFreedInAnother() throws Exception {
    LockClient client = scene.client(PATIENT);
    for (String round : List.of("first", "second")) {
      List<String> names = names(round, 10);
      double before = scene.transactions();
      Lease lease = client.allOf(names, LONG).acquire();
      assertEquals(1, scene.transactions() - before);
      assertTrue(lease.isValid());
      assertEquals(names, queued());
      assertFreesAll(lease);
      // The last that was granted may be freed by the thread that has told so.
      double freedBy = scene.transactions() - before - 1;
      assertTrue(freedBy <= 2, "ten locks are freed by " + freedBy + " transactions");
    }
  }

  @Test
  void moreThanOneTransactionHoldsTakeAFew() throws Exception {
    LockClient client = scene.client(PATIENT);
    List<String> names = names("n", 100);
    double before = scene.transactions();
    Lease lease = client.allOf(names, LONG).acquire();
    assertEquals(2, scene.transactions() - before);
    assertEquals(names, queued());
    assertFreesAll(lease);
  }

  @Test
  void oneThatIsBusyLeavesNothingOfTheOthers() throws Exception {
    LockClient client = scene.client(PATIENT);
    Lease busy = scene.client(PATIENT).lock(NAMES.get(5), LONG).acquire();
    assertEquals(Optional.empty(), client.allOf(NAMES, LONG).tryAcquire());
    awaitQueued(NAMES.subList(5, 6));
    assertEquals(ReleaseOutcome.RELEASED, busy.release());
    assertTrue(client.allOf(NAMES, LONG).acquire(EtcdHarness.PATIENCE).isValid());
  }

  @Test
  void thoseBehindABusyOneAreFreeWhileItIsWaitedFor() throws Exception {
    Lease busy = scene.client(PATIENT).lock(NAMES.get(5), LONG).acquire();
    CompletableFuture<Lease> asked = scene.client(PATIENT).allOf(NAMES, LONG).acquireAsync();
    until("a waiter behind the busy one", () -> scene.keys().size() == 7);
    assertEquals(NAMES.subList(0, 6), queued());
    assertFalse(asked.isDone());
    assertEquals(ReleaseOutcome.RELEASED, busy.release());
    assertTrue(get(asked).isValid());
    assertEquals(NAMES, queued());
  }

  /** Of this client's own holder the server is not asked. */
  @Test
  void oneThatIsBusyInTheClientIsHandedOver() throws Exception {
    LockClient client = scene.client(PATIENT);
    Lease own = client.lock(NAMES.get(5), LONG).acquire();
    CompletableFuture<Lease> asked = client.allOf(NAMES, LONG).acquireAsync();
    awaitQueued(NAMES.subList(0, 6));
    assertEquals(ReleaseOutcome.RELEASED, own.release());
    Lease lease = get(asked);
    assertEquals(NAMES, queued());
    assertFreesAll(lease);
  }

  @Test
  void ofTwoThatDoNotWaitOneGetsAll() throws Exception {
    LockClient client = scene.client(PATIENT);
    LockClient rival = scene.client(PATIENT);
    for (int round = 0; round < 50; round++) {
      List<String> names = names("r" + round + "-", 10);
      List<String> backwards = names.stream().sorted(Collections.reverseOrder()).toList();
      CompletableFuture<Optional<Lease>> one = client.allOf(names, LONG).tryAcquireAsync();
      CompletableFuture<Optional<Lease>> other = rival.allOf(backwards, LONG).tryAcquireAsync();
      List<Lease> granted =
          List.of(get(one), get(other)).stream().flatMap(Optional::stream).toList();
      assertEquals(1, granted.size(), "granted in round " + round);
      assertEquals(names, queued());
      assertEquals(ReleaseOutcome.RELEASED, granted.get(0).release());
      assertEquals(List.of(), queued());
    }
  }

  /** One request fails with its lease, and nothing of the others has been carried out then. */
  @Test
  void leasesThatHaveEndedInStockAreReplaced() throws Exception {
    LockClient client = scene.client(PATIENT);
    Lease first = client.allOf(NAMES, LONG).acquire();
    List<Long> leases =
        scene.administrator.entries(EtcdHarness.KEYS).stream().map(KeyValue::getLease).toList();
    assertEquals(ReleaseOutcome.RELEASED, first.release());
    for (long one : leases) {
      scene.administrator.lease().leaseRevoke(LeaseRevokeRequest.newBuilder().setID(one).build());
    }
    Lease lease = client.allOf(NAMES, LONG).acquire();
    assertEquals(NAMES, queued());
    assertFreesAll(lease);
  }

  /** It gives its lease back, and the other one goes on. */
  @Test
  void leavingWhileLeasesAreGrantedJoinsNoQueue() {
    DelayedAnswers grants = DelayedAnswers.grants(Leases.seconds(LONG.ttl()));
    try (ClaimHarness own = new ClaimHarness(LONG.ttl().dividedBy(2), grants)) {
      EtcdClaim leaves = own.another("leaves", LONG.ttl());
      EtcdClaim stays = own.another("stays", LONG.ttl());
      double before = own.harness.transactions();
      List<CompletionStage<Attempt>> attempts = new ArrayList<>();
      Batcher.together(
          () -> {
            attempts.add(leaves.attempt());
            attempts.add(stays.attempt());
          });
      CompletionStage<ReleaseAnswer> left = leaves.release();
      grants.release.complete(null);
      assertInstanceOf(Attempt.Contended.class, join(attempts.get(0)));
      assertInstanceOf(Attempt.Granted.class, join(attempts.get(1)));
      assertEquals(ReleaseAnswer.NOT_OURS, join(left));
      assertEquals(1, own.harness.transactions() - before);
      assertEquals(ReleaseAnswer.FREED, join(stays.release()));
      join(own.claim.release());
      own.backend.close();
      until("no lease is left", () -> own.harness.leases() == 0);
    }
  }

  /** The answer is lost, or the request arrives when the caller has been told of a failure. */
  @Test
  void aTransactionWithoutAnAnswerLeavesNothing() {
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, Map.of("command-timeout", "2s"));
    for (Direction silent : Direction.values()) {
      awaitTakenAndFreed(client);
      link.stall(silent);
      assertThrows(LockUnavailableException.class, () -> client.allOf(NAMES, LONG).tryAcquire());
      link.heal();
      awaitQueued(List.of());
      awaitTakenAndFreed(client);
      assertEquals(List.of(), queued());
    }
  }

  /** A busy machine may let the time-out of a request pass. */
  private static void awaitTakenAndFreed(LockClient client) {
    until(
        "a release that is answered",
        () ->
            client
                    .allOf(NAMES, LONG)
                    .acquireAsync(EtcdHarness.PATIENCE)
                    .thenCompose(Lease::releaseAsync)
                    .join()
                == ReleaseOutcome.RELEASED);
  }

  /** Returns when the request has been carried out. */
  private CompletableFuture<Lease> askWithoutAnAnswer(LockClient client, TcpProxy link)
      throws InterruptedException {
    client.allOf(NAMES, LONG).acquire().release();
    link.stall(Direction.TO_CLIENT);
    CompletableFuture<Lease> asked = client.allOf(NAMES, LONG).acquireAsync();
    awaitQueued(NAMES);
    return asked;
  }

  @Test
  void givingUpWithoutAnAnswerLeavesNothing() throws Exception {
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, PATIENT);
    CompletableFuture<Lease> asked = askWithoutAnAnswer(client, link);
    asked.cancel(false);
    link.heal();
    awaitQueued(List.of());
  }

  @Test
  void aCloseWithoutAnAnswerLeavesNothing() throws Exception {
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, PATIENT);
    CompletableFuture<Lease> asked = askWithoutAnAnswer(client, link);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
    until("an end of the wait", asked::isCompletedExceptionally);
    link.heal();
    get(closing);
    awaitQueued(List.of());
  }
}
