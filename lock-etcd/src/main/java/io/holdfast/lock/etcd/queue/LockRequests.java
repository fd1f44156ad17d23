/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.lock.Share;
import java.util.List;
import java.util.Map;

/** The algorithm's requests, so that it can be read in one place. */
public final class LockRequests {

  private LockRequests() {}

  /**
   * Joins the queue. Where it is empty, that is all; otherwise the answer has those ahead. If the
   * key is there already, or the queue is of another capacity, nothing is put; the answer has the
   * key and the first of the queue. Nor is anything put for a claim that does not wait and is not
   * granted what it asks for, as far as values tell.
   */
  public static TxnRequest join(
      ByteString queue,
      ByteString key,
      ByteString value,
      Share share,
      boolean waits,
      long leaseId) {
    RequestOp join = put(PutRequest.newBuilder().setKey(key).setValue(value).setLease(leaseId));
    TxnRequest.Builder behindOthers = TxnRequest.newBuilder().addCompare(createdAt(key, 0));
    conditions(queue, share, waits).forEach(behindOthers::addCompare);
    behindOthers
        .addSuccess(join)
        .addSuccess(op(ahead(queue, share).build()))
        .addFailure(op(RangeRequest.newBuilder().setKey(key).build()))
        .addFailure(op(oldest(queue).setLimit(1).build()));
    return TxnRequest.newBuilder()
        .addCompare(isEmpty(queue))
        .addSuccess(join)
        .addFailure(RequestOp.newBuilder().setRequestTxn(behindOthers))
        .build();
  }

  /** A contender, and those ahead of it that may be in its way. */
  public static TxnRequest look(ByteString queue, ByteString key, Share share, long revision) {
    return TxnRequest.newBuilder()
        .addSuccess(op(RangeRequest.newBuilder().setKey(key).build()))
        .addSuccess(op(ahead(queue, share).setMaxCreateRevision(revision).build()))
        .build();
  }

  /**
   * The newest first. If all permits are asked for, the one ahead is enough; the contender itself
   * may be the first of two. A reader is told of all but readers, and others of everybody.
   */
  private static RangeRequest.Builder ahead(ByteString queue, Share share) {
    RangeRequest.Builder newest = inQueue(queue).setSortOrder(RangeRequest.SortOrder.DESCEND);
    if (share.isWhole()) {
      return newest.setKeysOnly(share.capacity() == 1).setLimit(2);
    }
    return share.mode() == Share.Mode.READ ? newest.setRangeEnd(LockKeys.readersOf(queue)) : newest;
  }

  /** All contenders, the oldest first. */
  public static RangeRequest.Builder oldest(ByteString queue) {
    return inQueue(queue).setSortOrder(RangeRequest.SortOrder.ASCEND);
  }

  private static RangeRequest.Builder inQueue(ByteString queue) {
    return RangeRequest.newBuilder()
        .setKey(queue)
        .setRangeEnd(LockKeys.endOf(queue))
        .setSortTarget(RangeRequest.SortTarget.CREATE);
  }

  /** Values of locks are less than those of shares; those of one capacity begin alike. */
  private static List<Compare> sameCapacity(ByteString queue, int capacity) {
    if (capacity == 1) {
      return List.of(values(queue, Compare.CompareResult.LESS, ClaimValue.MARK));
    }
    String prefix = ClaimValue.prefix(capacity);
    // The next character after the slash.
    String end = prefix.replace('/', '0');
    return List.of(
        values(queue, Compare.CompareResult.GREATER, prefix),
        values(queue, Compare.CompareResult.LESS, end));
  }

  /**
   * When to join behind others. A claim that does not wait needs room there, as far as values tell:
   * never for all permits, and for a reader where nobody asks for more than one permit. The
   * character behind a number in a value is less than any digit.
   *
   * @return two at most, so that the transaction has four operations, which etcd may be limited to
   */
  private static List<Compare> conditions(ByteString queue, Share share, boolean waits) {
    if (!waits && share.isWhole()) {
      return List.of(isEmpty(queue));
    }
    if (!waits && share.mode() == Share.Mode.READ) {
      String prefix = ClaimValue.prefix(share.capacity());
      return List.of(
          values(queue, Compare.CompareResult.GREATER, prefix),
          values(queue, Compare.CompareResult.LESS, prefix + "10"));
    }
    return sameCapacity(queue, share.capacity());
  }

  private static Compare isEmpty(ByteString queue) {
    return createdAt(queue, 0).toBuilder().setRangeEnd(LockKeys.endOf(queue)).build();
  }

  private static Compare values(ByteString queue, Compare.CompareResult are, String bound) {
    return Compare.newBuilder()
        .setKey(queue)
        .setRangeEnd(LockKeys.endOf(queue))
        .setTarget(Compare.CompareTarget.VALUE)
        .setResult(are)
        .setValue(ByteString.copyFromUtf8(bound))
        .build();
  }

  /** Leaves the queue, and frees the lock if the contender was its first. */
  public static TxnRequest leave(ByteString key, long revision) {
    return TxnRequest.newBuilder()
        .addCompare(createdAt(key, revision))
        .addSuccess(
            RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key)))
        .build();
  }

  /**
   * Hangs a key on another lease, unless it has been changed since it was looked at. Its create
   * revision, and so its place, stays, and so does its value.
   */
  public static TxnRequest move(ByteString key, long modified, long leaseId) {
    return TxnRequest.newBuilder()
        .addCompare(modifiedAt(key, modified))
        .addSuccess(put(PutRequest.newBuilder().setKey(key).setIgnoreValue(true).setLease(leaseId)))
        .build();
  }

  /** Changes values, if that is where the queue still is: keys as they were seen, and no others. */
  public static TxnRequest change(Map<KeyValue, ByteString> values, List<Compare> unless) {
    TxnRequest.Builder change = TxnRequest.newBuilder().addAllCompare(unless);
    values.forEach(
        (seen, value) ->
            change
                .addCompare(modifiedAt(seen.getKey(), seen.getModRevision()))
                .addSuccess(
                    put(
                        PutRequest.newBuilder()
                            .setKey(seen.getKey())
                            .setValue(value)
                            .setIgnoreLease(true))));
    return change.build();
  }

  /** Nobody has joined, or changed a key, after this revision. */
  public static Compare unchangedSince(ByteString queue, long revision) {
    return Compare.newBuilder()
        .setKey(queue)
        .setRangeEnd(LockKeys.endOf(queue))
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.LESS)
        .setModRevision(revision + 1)
        .build();
  }

  /** Reads many keys at one revision, by the word of a majority. */
  public static TxnRequest read(List<ByteString> keys) {
    TxnRequest.Builder all = TxnRequest.newBuilder();
    for (ByteString key : keys) {
      all.addSuccess(op(RangeRequest.newBuilder().setKey(key).setKeysOnly(true).build()));
    }
    return all.build();
  }

  /** Never carried out, as no revision is negative; but etcd checks whether it were permitted. */
  public static TxnRequest mayWrite(ByteString key) {
    return TxnRequest.newBuilder()
        .addCompare(createdAt(key, -1))
        .addSuccess(put(PutRequest.newBuilder().setKey(key)))
        .addSuccess(op(RangeRequest.newBuilder().setKey(key).setKeysOnly(true).build()))
        .build();
  }

  private static Compare createdAt(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.CREATE)
        .setResult(Compare.CompareResult.EQUAL)
        .setCreateRevision(revision)
        .build();
  }

  private static Compare modifiedAt(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(revision)
        .build();
  }

  private static RequestOp put(PutRequest.Builder put) {
    return RequestOp.newBuilder().setRequestPut(put).build();
  }

  private static RequestOp op(RangeRequest range) {
    return RequestOp.newBuilder().setRequestRange(range).build();
  }
}
