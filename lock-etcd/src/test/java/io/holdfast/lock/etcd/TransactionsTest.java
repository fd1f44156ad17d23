/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.client.Transactions;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions that gather while others are under way. */
class TransactionsTest {

  private static final LockKeys KEYS = new LockKeys("/holdfast", "lock");
  private static final ByteString OWNER = ByteString.copyFromUtf8("owner");

  private final SentMessages sent = new SentMessages();
  private final EtcdHarness scene = new EtcdHarness();
  private final EtcdConnection link =
      new EtcdConnection(
          List.of(Member.own(scene.channel(sent), true, TimeSource.host())),
          Optional.empty(),
          Duration.ofSeconds(10));
  private final Transactions transactions = new Transactions(link);
  private long lease;

  @BeforeEach
  void grant() {
    lease =
        scene
            .administrator
            .lease()
            .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(600).build())
            .getID();
  }

  @AfterEach
  void end() {
    scene.close();
  }

  private CompletableFuture<TxnResponse> join(String name, String key, long onLease) {
    ByteString queue = KEYS.queue(name);
    ByteString as = queue.concat(ByteString.copyFromUtf8(key));
    return transactions.join(
        queue, LockRequests.join(queue, as, OWNER, Share.LOCK, true, onLease), link.deadline());
  }

  /** They are asked for faster than any server answers, so all but the first two gather. */
  private List<CompletableFuture<TxnResponse>> joinEach(int count, String key, long onLease) {
    List<CompletableFuture<TxnResponse>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(join("n" + i, key, onLease));
    }
    return answers;
  }

  private List<KeyValue> there(String prefix) {
    return scene.administrator.entries(EtcdHarness.KEYS).stream()
        .filter(entry -> entry.getKey().startsWith(KEYS.queue(prefix)))
        .toList();
  }

  @Test
  void manyAreOneWriteAndEachHasItsOwnAnswer() {
    List<CompletableFuture<TxnResponse>> first = joinEach(60, "a", lease);
    long writes =
        first.stream().map(one -> one.join().getHeader().getRevision()).distinct().count();
    assertTrue(writes < 30, writes + " writes for 60 locks");
    first.forEach(one -> assertTrue(one.join().getSucceeded()));
    for (int i = 0; i < 60; i++) {
      assertEquals(
          first.get(i).join().getHeader().getRevision(), there("n" + i).get(0).getCreateRevision());
    }
    // Each queue has somebody in it now.
    for (CompletableFuture<TxnResponse> one : joinEach(60, "b", lease)) {
      assertTrue(!one.join().getSucceeded());
      TxnResponse behind = one.join().getResponses(0).getResponseTxn();
      assertTrue(behind.getSucceeded());
      assertEquals(2, behind.getResponses(1).getResponseRange().getKvsCount());
    }
  }

  /** With one create revision, none would be ahead of the other. */
  @Test
  void twoOfOneQueueNeverGoOutTogether() {
    List<CompletableFuture<TxnResponse>> all = joinEach(20, "a", lease);
    for (int i = 0; i < 20; i++) {
      all.add(join("wanted", "k" + i, lease));
    }
    all.forEach(CompletableFuture::join);
    List<KeyValue> queue = there("wanted");
    assertEquals(20, queue.size());
    assertEquals(20, queue.stream().map(KeyValue::getCreateRevision).distinct().count());
    long empty = all.subList(20, 40).stream().filter(one -> one.join().getSucceeded()).count();
    assertEquals(1, empty);
  }

  /** An etcd that has no space left refuses what puts, and has to be able to free locks. */
  @Test
  void aRequestThatFreesLocksGoesOutByItself() {
    List<CompletableFuture<TxnResponse>> joined = joinEach(20, "a", lease);
    joined.forEach(CompletableFuture::join);
    sent.clear();
    List<CompletableFuture<TxnResponse>> all = new ArrayList<>();
    Batcher.together(
        () -> {
          all.addAll(joinEach(20, "b", lease));
          for (int i = 0; i < 20; i++) {
            ByteString key = KEYS.queue("n" + i).concat(ByteString.copyFromUtf8("a"));
            long revision = joined.get(i).join().getHeader().getRevision();
            all.add(transactions.leave(LockRequests.leave(key, revision), link.deadline()));
          }
        });
    all.forEach(CompletableFuture::join);
    List<String> requests = sent.of(TxnRequest.class).stream().map(TxnRequest::toString).toList();
    assertTrue(requests.size() < 20, "they gather");
    for (String one : requests) {
      assertTrue(!one.contains("request_put") || !one.contains("request_delete_range"), one);
    }
    for (int i = 0; i < 20; i++) {
      assertEquals(1, there("n" + i).size());
    }
  }

  @Test
  void aLeaseThatHasEndedFailsItsOwnRequestOnly() {
    List<CompletableFuture<TxnResponse>> all = joinEach(20, "a", lease);
    CompletableFuture<TxnResponse> doomed = join("doomed", "a", 4711);
    List<CompletableFuture<TxnResponse>> more = joinEach(20, "b", lease);
    all.forEach(CompletableFuture::join);
    more.forEach(CompletableFuture::join);
    CompletionException failure = assertThrows(CompletionException.class, doomed::join);
    assertTrue(EtcdFailures.isLeaseNotFound(Failures.cause(failure)));
    for (int i = 0; i < 20; i++) {
      assertEquals(2, there("n" + i).size());
    }
    assertTrue(there("doomed").isEmpty());
  }
}
