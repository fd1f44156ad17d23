/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Permission;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.holdfast.lock.etcd.queue.LockKeys;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Stands in for {@code etcdctl}. */
final class Administrator implements AutoCloseable {

  private static final int MOST_ROUNDS = 100;

  final ManagedChannel channel;

  Administrator(String host, int port) {
    channel =
        Grpc.newChannelBuilderForAddress(host, port, InsecureChannelCredentials.create()).build();
  }

  /** All keys that begin with a text, oldest first. */
  List<KeyValue> entries(String prefix) {
    ByteString key = ByteString.copyFromUtf8(prefix);
    return kv().range(
            RangeRequest.newBuilder()
                .setKey(key)
                .setRangeEnd(LockKeys.endOf(key))
                .setSortTarget(RangeRequest.SortTarget.CREATE)
                .build())
        .getKvsList();
  }

  List<String> keys(String prefix) {
    return entries(prefix).stream().map(entry -> entry.getKey().toStringUtf8()).toList();
  }

  long secondsLeft(long lease) {
    return lease()
        .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder().setID(lease).build())
        .getTTL();
  }

  void put(String key, String value) {
    kv().put(
            PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(ByteString.copyFromUtf8(value))
                .build());
  }

  boolean delete(ByteString key) {
    return kv().deleteRange(DeleteRangeRequest.newBuilder().setKey(key).build()).getDeleted() > 0;
  }

  /**
   * Ends all leases that keep a key that begins with a text. A key that is moved to another lease
   * meanwhile is no exception.
   */
  void revokeLeases(String prefix) {
    List<KeyValue> there = entries(prefix);
    long newest = there.stream().mapToLong(KeyValue::getCreateRevision).max().orElse(0);
    for (int round = 0; !there.isEmpty(); round++) {
      if (round == MOST_ROUNDS) {
        throw new IllegalStateException("there are still " + there);
      }
      revoke(there.stream().map(KeyValue::getLease).collect(Collectors.toSet()));
      there =
          entries(prefix).stream()
              .filter(entry -> entry.getLease() != 0 && entry.getCreateRevision() <= newest)
              .toList();
    }
  }

  private void revoke(Set<Long> leases) {
    leases.remove(0L);
    for (long one : leases) {
      try {
        lease().leaseRevoke(LeaseRevokeRequest.newBuilder().setID(one).build());
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.NOT_FOUND) {
          throw e;
        }
      }
    }
  }

  /** Raises or removes the alarm of a full database. */
  void alarmOfNoSpace(AlarmRequest.AlarmAction action) {
    inTime(MaintenanceGrpc.newBlockingStub(channel))
        .alarm(AlarmRequest.newBuilder().setAction(action).setAlarm(AlarmType.NOSPACE).build());
  }

  /** Adds a user who may read and write keys with a prefix; the role has the user's name. */
  void addUser(String name, String password, String prefix) {
    auth().userAdd(AuthUserAddRequest.newBuilder().setName(name).setPassword(password).build());
    auth().roleAdd(AuthRoleAddRequest.newBuilder().setName(name).build());
    auth().roleGrantPermission(permission(name, prefix));
    auth().userGrantRole(AuthUserGrantRoleRequest.newBuilder().setUser(name).setRole(name).build());
  }

  static AuthRoleGrantPermissionRequest permission(String role, String prefix) {
    ByteString key = ByteString.copyFromUtf8(prefix);
    return AuthRoleGrantPermissionRequest.newBuilder()
        .setName(role)
        .setPerm(
            Permission.newBuilder()
                .setPermType(Permission.Type.READWRITE)
                .setKey(key)
                .setRangeEnd(LockKeys.endOf(key)))
        .build();
  }

  /** There has to be a user {@code root}. */
  void enableAuthentication() {
    auth().authEnable(AuthEnableRequest.getDefaultInstance());
  }

  AuthGrpc.AuthBlockingStub auth() {
    return inTime(AuthGrpc.newBlockingStub(channel));
  }

  KVGrpc.KVBlockingStub kv() {
    return inTime(KVGrpc.newBlockingStub(channel));
  }

  LeaseGrpc.LeaseBlockingStub lease() {
    return inTime(LeaseGrpc.newBlockingStub(channel));
  }

  static <S extends AbstractStub<S>> S inTime(S stub) {
    return stub.withWaitForReady().withDeadlineAfter(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
