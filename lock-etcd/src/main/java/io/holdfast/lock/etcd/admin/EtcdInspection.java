/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.admin;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Deadline;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the queues, by the word of a majority. A key without a lease is no contender; whoever asks
 * for its lock is told so.
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
        "Asking who holds lock '" + lockName + "'",
        firstOf(lockName, deadline)
            .thenCompose(
                found ->
                    found.isEmpty()
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : holder(lockName, found.get(), deadline)));
  }

  /** A lease that has ended in between is as good as one that is about to. */
  private CompletableFuture<Optional<LockHolder>> holder(
      String lockName, KeyValue first, Deadline deadline) {
    LeaseTimeToLiveRequest left =
        LeaseTimeToLiveRequest.newBuilder().setID(first.getLease()).build();
    return link.call(LeaseGrpc.getLeaseTimeToLiveMethod(), left, deadline)
        .thenApply(
            answer ->
                Optional.of(
                    new LockHolder(
                        lockName,
                        Optional.of(first.getValue().toStringUtf8()),
                        OptionalLong.of(first.getCreateRevision()),
                        Optional.of(Long.toHexString(first.getLease())),
                        Optional.of(Duration.ofSeconds(Math.max(0, answer.getTTL()))))));
  }

  private CompletableFuture<Optional<KeyValue>> firstOf(String lockName, Deadline deadline) {
    return link.call(KVGrpc.getRangeMethod(), first(keys.queue(lockName)), deadline)
        .thenApply(
            answer -> answer.getKvsList().stream().filter(kv -> kv.getLease() != 0).findFirst());
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
        firstOf(holder.lockName(), deadline)
            .thenCompose(
                found ->
                    found.isPresent() && isSame(found.get(), holder)
                        ? delete(found.get(), deadline)
                        : CompletableFuture.completedFuture(false)));
  }

  private static boolean isSame(KeyValue first, LockHolder told) {
    return told.ownerId().equals(Optional.of(first.getValue().toStringUtf8()))
        && told.fencingToken().equals(OptionalLong.of(first.getCreateRevision()));
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

  /** Who is first in a queue, whoever asks. */
  private static RangeRequest first(ByteString queue) {
    return RangeRequest.newBuilder()
        .setKey(queue)
        .setRangeEnd(LockKeys.endOf(queue))
        .setSortTarget(RangeRequest.SortTarget.CREATE)
        .setSortOrder(RangeRequest.SortOrder.ASCEND)
        .setLimit(1)
        .build();
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
