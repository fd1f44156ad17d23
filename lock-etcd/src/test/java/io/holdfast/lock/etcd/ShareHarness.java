/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ShareAsker.answer;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A queue of shares at a server, without an engine: contenders ask again by themselves. */
final class ShareHarness implements AutoCloseable {

  static final Duration TTL = Duration.ofMinutes(1);

  final EtcdHarness harness = new EtcdHarness();
  final EtcdBackend backend;

  private int number;

  /** Of the lock of the present test. */
  String name = "";

  ShareHarness() {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                harness.server.host(), harness.server.port(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    backend =
        harness.closing(
            new EtcdBackend(
                new LockKeys("/holdfast", "lock"),
                new EtcdConnection(
                    List.of(Member.own(channel, true, TimeSource.host())),
                    Optional.empty(),
                    Duration.ofSeconds(10)),
                TimeSource.host()));
  }

  void takeAnotherName() {
    name = "shared" + ++number;
  }

  ShareAsker asker(Share share) {
    return new ShareAsker(backend, new ClaimRequest(name, owner(), TTL, share));
  }

  /** One that does not wait. */
  ShareAsker trying(Share share) {
    return new ShareAsker(backend, new ClaimRequest(name, owner(), TTL, share, false));
  }

  private String owner() {
    return "owner-" + ++number;
  }

  int keys() {
    return harness.administrator.keys("/holdfast/lock/" + name + "/").size();
  }

  LockInspection inspection() {
    return backend.inspection().orElseThrow();
  }

  List<String> holders() throws Exception {
    return answer(inspection().holders(name)).stream()
        .map(holder -> holder.ownerId().orElseThrow() + " " + holder.share())
        .toList();
  }

  RenewalAnswer renewed(ShareAsker asker, Duration ttl) throws Exception {
    return answer(backend.renew(List.of(new RenewalRequest<>(asker.claim, ttl, TTL)))).get(0);
  }

  @Override
  public void close() {
    harness.close();
  }
}
