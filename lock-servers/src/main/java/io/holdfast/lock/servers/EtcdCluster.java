/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Several etcd members of this machine that make one cluster. Not thread-safe. */
public final class EtcdCluster implements AutoCloseable {

  private static final int TRIES = 3;

  private final List<EtcdServer> members;

  private EtcdCluster(List<EtcdServer> members) {
    this.members = List.copyOf(members);
  }

  /**
   * Starts a cluster on free ports.
   *
   * @param size how many members
   * @return a cluster that has a leader
   * @throws IllegalStateException if {@code etcd} is not installed or does not start
   */
  public static EtcdCluster launch(int size) {
    if (EtcdServer.choose() != Hosting.LOCAL) {
      throw new IllegalStateException(
          "A cluster needs the program etcd. Install it with: apt-get install etcd-server");
    }
    for (int tries = 1; ; tries++) {
      try {
        return start(size);
      } catch (IllegalStateException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  /** None answers before most of them run, so they start side by side. */
  private static EtcdCluster start(int size) {
    List<String> peers = IntStream.range(0, size).mapToObj(i -> free()).toList();
    String cluster =
        IntStream.range(0, size)
            .mapToObj(i -> name(i) + "=" + peers.get(i))
            .collect(Collectors.joining(","));
    List<CompletableFuture<EtcdServer>> starting =
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> EtcdServer.startLocal(name(i), peers.get(i), cluster, List.of()),
                        task -> new Thread(task, "holdfast-etcd-start").start()))
            .toList();
    List<EtcdServer> members = new ArrayList<>();
    IllegalStateException failure = null;
    for (CompletableFuture<EtcdServer> one : starting) {
      try {
        members.add(one.join());
      } catch (CompletionException e) {
        failure = new IllegalStateException("A member of the cluster did not start", e.getCause());
      }
    }
    if (failure != null) {
      members.forEach(EtcdServer::close);
      throw failure;
    }
    return new EtcdCluster(members);
  }

  private static String name(int index) {
    return "m" + index;
  }

  private static String free() {
    return EtcdServer.peerUrl(Ports.free());
  }

  /**
   * The members.
   *
   * @return in the order of their start, stopped ones included
   */
  public List<EtcdServer> members() {
    return members;
  }

  /**
   * Which member leads now.
   *
   * @return empty during an election
   */
  public Optional<EtcdServer> leader() {
    return members.stream().filter(EtcdCluster::leads).findFirst();
  }

  private static boolean leads(EtcdServer member) {
    try {
      return member.metric("etcd_server_is_leader") == 1;
    } catch (UncheckedIOException stopped) {
      return false;
    }
  }

  @Override
  public void close() {
    members.forEach(EtcdServer::close);
  }
}
