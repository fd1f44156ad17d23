/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.EtcdCluster;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.tck.NamedFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Three etcd members. A new leader lets every lease begin anew. */
final class EtcdClusterFixture extends EtcdFixture {

  private static final Duration ELECTION = Duration.ofSeconds(20);

  private final EtcdCluster cluster;

  EtcdClusterFixture() {
    this(EtcdCluster.launch(3));
  }

  private EtcdClusterFixture(EtcdCluster cluster) {
    super("etcd-cluster", cluster.members(), Duration.ofMillis(4_600));
    this.cluster = cluster;
  }

  @Override
  public Optional<Server> leader() {
    return Optional.of(elected());
  }

  private EtcdServer elected() {
    Conditions.until("a leader", ELECTION, () -> cluster.leader().isPresent());
    return cluster.leader().orElseThrow();
  }

  /** A leader that stands still for longer than leases last does not know that it was deposed. */
  @Override
  public List<NamedFault> faults() {
    AtomicReference<Optional<EtcdServer>> suspended = new AtomicReference<>(Optional.empty());
    List<NamedFault> faults = new ArrayList<>(super.faults());
    faults.add(
        NamedFault.survived(
            "long SIGSTOP of the leader",
            timing().ttl().multipliedBy(2),
            timing().ttl().multipliedBy(4),
            () -> {
              EtcdServer leader = elected();
              suspended.set(Optional.of(leader));
              leader.suspend();
            },
            () -> suspended.getAndSet(Optional.empty()).ifPresent(EtcdServer::resume)));
    return faults;
  }
}
