/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.admin;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.Deadline;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.queue.ClaimValue;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the queues, by the word of a majority. A key without a lease is no contender; a request for
 * its lock is told so.
 */
public final class EtcdInspection implements LockInspection {

  private static final int KEYS_IN_ONE_STEP = 1000;

  private final LockKeys keys;
  private final EtcdConnection link;

  public EtcdInspection(LockKeys keys, EtcdConnection link) {
    this.keys = keys;
    this.link = link;
  }

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    Deadline deadline = link.deadline();
    return typed(
        asking(lockName),
        queue(lockName, 1, deadline)
            .thenCompose(first -> told(lockName, granted(first), deadline))
            .thenApply(held -> held.stream().findFirst()));
  }

  /** One holder of a lock, whatever waiters there are. */
  @Override
  public CompletionStage<List<LockHolder>> holders(String lockName) {
    Deadline deadline = link.deadline();
    return typed(
        asking(lockName),
        queue(lockName, 1, deadline)
            .thenCompose(
                first ->
                    isShared(first)
                        ? queue(lockName, 0, deadline)
                        : CompletableFuture.completedFuture(first))
            .thenCompose(queued -> told(lockName, granted(queued), deadline)));
  }

  private static String asking(String lockName) {
    return "Asking who holds lock '" + lockName + "'";
  }

  private static boolean isShared(List<KeyValue> first) {
    return !first.isEmpty() && ClaimValue.known(first.get(0)).capacity() > 1;
  }

  /** Those that fit into the capacity together with all ahead of them, and those marked. */
  private static List<KeyValue> granted(List<KeyValue> queued) {
    long taken = 0;
    List<KeyValue> granted = new ArrayList<>();
    for (KeyValue next : queued) {
      ClaimValue contender = ClaimValue.known(next);
      taken += contender.permits();
      if (contender.holds() || taken <= contender.capacity() || granted.isEmpty()) {
        granted.add(next);
      }
    }
    return granted;
  }

  private CompletableFuture<List<LockHolder>> told(
      String lockName, List<KeyValue> granted, Deadline deadline) {
    List<CompletableFuture<LockHolder>> told =
        granted.stream().map(one -> holder(lockName, one, deadline)).toList();
    return CompletableFuture.allOf(told.toArray(CompletableFuture[]::new))
        .thenApply(done -> told.stream().map(CompletableFuture::join).toList());
  }

  /** A lease that has ended in between is as good as one that is about to. */
  private CompletableFuture<LockHolder> holder(String lockName, KeyValue key, Deadline deadline) {
    LeaseTimeToLiveRequest left = LeaseTimeToLiveRequest.newBuilder().setID(key.getLease()).build();
    ClaimValue contender = ClaimValue.known(key);
    return link.call(LeaseGrpc.getLeaseTimeToLiveMethod(), left, deadline)
        .thenApply(
            answer ->
                new LockHolder(
                    lockName,
                    Optional.of(contender.ownerId()),
                    OptionalLong.of(key.getCreateRevision()),
                    Optional.of(Long.toHexString(key.getLease())),
                    Optional.of(Duration.ofSeconds(Math.max(0, answer.getTTL()))),
                    contender.share()));
  }

  /** From the oldest on, so many, or all. */
  private CompletableFuture<List<KeyValue>> queue(String lockName, long limit, Deadline deadline) {
    RangeRequest oldest = LockRequests.oldest(keys.queue(lockName)).setLimit(limit).build();
    return link.call(KVGrpc.getRangeMethod(), oldest, deadline)
        .thenApply(
            answer -> answer.getKvsList().stream().filter(kv -> kv.getLease() != 0).toList());
  }

  /**
   * Changes what all contenders say, and marks the holders, if nobody has come or changed anything
   * since they were read.
   */
  @Override
  public CompletionStage<Boolean> changeCapacity(String lockName, int from, int to) {
    return typed(changing(lockName), changeCapacity(lockName, from, to, link.deadline()));
  }

  private static String changing(String lockName) {
    return "Changing the capacity of '" + lockName + "'";
  }

  private CompletableFuture<Boolean> changeCapacity(
      String lockName, int from, int to, Deadline deadline) {
    ByteString queue = keys.queue(lockName);
    return link.call(KVGrpc.getRangeMethod(), LockRequests.oldest(queue).build(), deadline)
        .thenCompose(
            seen -> {
              if (!isShared(seen.getKvsList())
                  || ClaimValue.known(seen.getKvs(0)).capacity() != from) {
                return CompletableFuture.completedFuture(false);
              }
              Map<KeyValue, ByteString> values = changed(lockName, seen.getKvsList(), from, to);
              long revision = seen.getHeader().getRevision();
              TxnRequest change =
                  LockRequests.change(
                      values, List.of(LockRequests.unchangedSince(queue, revision)));
              return link.call(KVGrpc.getTxnMethod(), change, deadline)
                  .thenCompose(
                      answer ->
                          answer.getSucceeded()
                              ? CompletableFuture.completedFuture(true)
                              : changeCapacity(lockName, from, to, deadline));
            });
  }

  private static Map<KeyValue, ByteString> changed(
      String lockName, List<KeyValue> queued, int from, int to) {
    Set<KeyValue> granted = Set.copyOf(granted(queued));
    Map<KeyValue, ByteString> values = new LinkedHashMap<>();
    for (KeyValue one : queued) {
      ClaimValue contender =
          ClaimValue.of(one)
              .filter(known -> one.getLease() != 0 && known.capacity() == from)
              .orElseThrow(() -> ClaimValue.foreign(changing(lockName), one));
      values.put(one, contender.of(to, granted.contains(one)).value());
    }
    return values;
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return typed(
        "Listing the locks that are held", names(keys.base(), new HashSet<>(), link.deadline()));
  }

  /** In steps, as etcd bounds the size of an answer. */
  private CompletableFuture<Set<String>> names(
      ByteString from, Set<String> names, Deadline deadline) {
    RangeRequest step = contenders(from, LockKeys.endOf(keys.base()));
    return link.call(KVGrpc.getRangeMethod(), step, deadline)
        .thenCompose(
            answer -> {
              for (KeyValue contender : answer.getKvsList()) {
                keys.lockName(contender.getKey()).ifPresent(names::add);
              }
              return answer.getMore()
                  ? names(
                      LockKeys.next(answer.getKvs(answer.getKvsCount() - 1).getKey()),
                      names,
                      deadline)
                  : CompletableFuture.completedFuture(names);
            });
  }

  /** The create revision says that the key is that holder's, and not one of a later lease. */
  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    Deadline deadline = link.deadline();
    return typed(
        "Taking lock '" + holder.lockName() + "' from its holder",
        queue(holder.lockName(), holder.share().capacity() == 1 ? 1 : 0, deadline)
            .thenCompose(
                queued ->
                    queued.stream()
                        .filter(one -> isSame(one, holder))
                        .findFirst()
                        .map(found -> delete(found, deadline))
                        .orElseGet(() -> CompletableFuture.completedFuture(false))));
  }

  private static boolean isSame(KeyValue one, LockHolder told) {
    return told.ownerId().equals(Optional.of(ClaimValue.known(one).ownerId()))
        && told.fencingToken().equals(OptionalLong.of(one.getCreateRevision()));
  }

  private CompletableFuture<Boolean> delete(KeyValue first, Deadline deadline) {
    return link.call(
            KVGrpc.getTxnMethod(),
            LockRequests.leave(first.getKey(), first.getCreateRevision()),
            deadline)
        .thenApply(answer -> answer.getSucceeded());
  }

  private static <T> CompletableFuture<T> typed(String operation, CompletableFuture<T> answer) {
    return answer.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(EtcdFailures.typed(operation, failure)));
  }

  /** The next so many contenders of all queues, by their keys. */
  private static RangeRequest contenders(ByteString from, ByteString end) {
    return RangeRequest.newBuilder()
        .setKey(from)
        .setRangeEnd(end)
        .setKeysOnly(true)
        .setLimit(KEYS_IN_ONE_STEP)
        .build();
  }
}
