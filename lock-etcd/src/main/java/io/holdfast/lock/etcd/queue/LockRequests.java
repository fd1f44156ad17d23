/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;

/** The algorithm's requests, so that it can be read in one place. */
public final class LockRequests {

  private LockRequests() {}

  /**
   * Joins the queue. Where it is empty, that is all; otherwise who is ahead is seen: the two
   * contenders with the highest create revisions are this one and the one before it. If the key is
   * there already, it is looked at instead.
   */
  public static TxnRequest join(ByteString queue, ByteString key, ByteString owner, long leaseId) {
    RequestOp join = put(key, owner, leaseId);
    TxnRequest behindOthers =
        TxnRequest.newBuilder()
            .addCompare(createdAt(key, 0))
            .addSuccess(join)
            .addSuccess(op(newest(queue).build()))
            .addFailure(op(RangeRequest.newBuilder().setKey(key).build()))
            .build();
    return TxnRequest.newBuilder()
        .addCompare(createdAt(queue, 0).toBuilder().setRangeEnd(LockKeys.endOf(queue)))
        .addSuccess(join)
        .addFailure(RequestOp.newBuilder().setRequestTxn(behindOthers))
        .build();
  }

  /** Who is ahead of a contender: it and the one before it are the newest up to its revision. */
  public static RangeRequest look(ByteString queue, long revision) {
    return newest(queue).setMaxCreateRevision(revision).build();
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
   * Hangs a key on another lease, unless that has been done since the key was looked at. Its create
   * revision, and so its place, stays.
   */
  public static TxnRequest move(ByteString key, long modified, ByteString owner, long leaseId) {
    return TxnRequest.newBuilder()
        .addCompare(
            Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(modified))
        .addSuccess(put(key, owner, leaseId))
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
        .addSuccess(put(key, ByteString.EMPTY, 0))
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

  private static RangeRequest.Builder newest(ByteString queue) {
    return RangeRequest.newBuilder()
        .setKey(queue)
        .setRangeEnd(LockKeys.endOf(queue))
        .setSortTarget(RangeRequest.SortTarget.CREATE)
        .setSortOrder(RangeRequest.SortOrder.DESCEND)
        .setKeysOnly(true)
        .setLimit(2);
  }

  private static RequestOp put(ByteString key, ByteString owner, long leaseId) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(owner).setLease(leaseId))
        .build();
  }

  private static RequestOp op(RangeRequest range) {
    return RequestOp.newBuilder().setRequestRange(range).build();
  }
}
