/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.servers.EtcdServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures an uncontended lock: acquire and release, next to the two bare transactions that they
 * are made of, on the same channel, taking turns in one run.
 */
final class UncontendedCost {

  private static final int WARM_UP = 3_000;
  private static final int ROUNDS = 5_000;

  private UncontendedCost() {}

  public static void main(String[] arguments) throws Exception {
    try (EtcdServer server = EtcdServer.launch();
        Administrator administrator = new Administrator(server.host(), server.port())) {
      ManagedChannel channel =
          Grpc.newChannelBuilderForAddress(
                  server.host(), server.port(), InsecureChannelCredentials.create())
              .directExecutor()
              .build();
      long lease =
          administrator
              .lease()
              .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(600).build())
              .getID();
      EtcdConnection bare =
          new EtcdConnection(
              List.of(Member.borrowed(channel)), Optional.empty(), Duration.ofSeconds(5));
      try (LockClient client = EtcdLocks.using(channel)) {
        DistributedLock lock = client.lock("cost");
        long[] locked = new long[ROUNDS];
        long[] written = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
          long began = System.nanoTime();
          lock.acquire().close();
          long between = System.nanoTime();
          putAndDelete(bare, lease);
          long ended = System.nanoTime();
          if (i >= 0) {
            locked[i] = between - began;
            written[i] = ended - between;
          }
        }
        System.out.printf(
            "acquire + release: median %.0f us, p99 %.0f us%n"
                + "two transactions:  median %.0f us, p99 %.0f us%n"
                + "ratio of the medians: %.2f%n",
            at(locked, 0.5),
            at(locked, 0.99),
            at(written, 0.5),
            at(written, 0.99),
            at(locked, 0.5) / at(written, 0.5));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static void putAndDelete(EtcdConnection bare, long lease) throws Exception {
    ByteString queue = new LockKeys("/bare", "lock").queue("cost");
    ByteString key = LockKeys.contender(queue, lease, Share.Mode.LOCK);
    Deadline deadline = Deadline.after(5, TimeUnit.SECONDS);
    long revision =
        bare.call(
                KVGrpc.getTxnMethod(),
                LockRequests.join(
                    queue,
                    key,
                    ByteString.copyFromUtf8("somebody-12345-0123456789ABCDEF-1"),
                    Share.LOCK,
                    true,
                    lease),
                deadline)
            .get()
            .getHeader()
            .getRevision();
    bare.call(KVGrpc.getTxnMethod(), LockRequests.leave(key, revision), deadline).get();
  }

  private static double at(long[] nanos, double share) {
    Arrays.sort(nanos);
    return nanos[(int) (share * (nanos.length - 1))] / 1_000.0;
  }
}
