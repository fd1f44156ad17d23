/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ServerGroup;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.ServerFaultCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * The faults of a backend's servers. Where tokens only grow as long as the server keeps its data,
 * it keeps them when it is killed. Where they grow through the loss of the data, it loses them:
 * then it stays away for longer than any lease is valid, so that locks are no more given to two; or
 * it is back at once, which only tokens protect from.
 */
final class ServerFaults {

  private static final Duration MOMENT = Duration.ofMillis(50);
  private static final Duration SHORT_OUTAGE = Duration.ofSeconds(1);

  private final Fixture fixture;
  private final Random random;
  private final List<NamedFault> faults = new ArrayList<>();

  private ServerFaults(Fixture fixture, long seed) {
    this.fixture = fixture;
    this.random = new Random(seed);
  }

  /** All of it, those of the fixture included. */
  static List<NamedFault> of(Fixture fixture, List<String> locks, long seed) {
    ServerFaults all = new ServerFaults(fixture, seed);
    fixture.server().ifPresent(all::add);
    all.faults.addAll(fixture.faults());
    NamedFault revocation = revocation(fixture, locks);
    all.faults.addAll(List.of(revocation, revocation));
    return all.faults;
  }

  private void add(Server server) {
    List<? extends Server> nodes =
        server instanceof ServerGroup group ? group.servers() : List.of(server);
    boolean cluster =
        nodes.size() > 1 && fixture.promises().survival() == Capabilities.Survival.MINORITY;
    if (cluster) {
      int minority = (nodes.size() - 1) / 2;
      addFor(nodes, 1, " of one node");
      if (minority > 1) {
        addFor(nodes, minority, " of a minority");
      }
      addTroubles(nodes, minority, " of a minority");
    }
    String whom = cluster ? " of all nodes" : "";
    addFor(nodes, nodes.size(), whom);
    addTroubles(nodes, nodes.size(), whom);
  }

  private void addFor(List<? extends Server> nodes, int count, String whom) {
    Duration ttl = fixture.timing().ttl();
    Some some = new Some(nodes, count, random);
    add(
        "SIGSTOP" + whom,
        MOMENT,
        ttl.multipliedBy(3).dividedBy(2),
        some.then(Server::suspend),
        some.back(Server::resume));
    if (fixture.promises().fencing() == Capabilities.Fencing.WHILE_DATA_LASTS) {
      addEnd("kill" + whom, some.then(Server::kill), some.back(Server::start));
      addEnd("stop" + whom, some.then(Server::stop), some.back(Server::start));
    } else {
      Duration away = ttl.multipliedBy(2).plus(SHORT_OUTAGE.dividedBy(4));
      Runnable amnesia = some.then(ServerFaults::killAndWipe);
      add(
          "long outage without data" + whom,
          away,
          away.plus(SHORT_OUTAGE),
          amnesia,
          some.back(Server::start));
      String restart = "restart without data" + whom;
      Runnable back = some.back(Server::start);
      faults.add(
          count == nodes.size()
              ? NamedFault.taking(restart, MOMENT, SHORT_OUTAGE, amnesia, back)
              : NamedFault.losing(restart, MOMENT, SHORT_OUTAGE, amnesia, back));
    }
  }

  private void addTroubles(List<? extends Server> nodes, int count, String whom) {
    Some some = new Some(nodes, count, random);
    faults.addAll(
        ServerFaultCatalog.of(nodes.get(0), whom, some::choose, fixture.promises().lifetime()));
  }

  /**
   * Where locks end with their connections, a server that ends may give one to somebody whose
   * connection it has not ended yet.
   */
  private void addEnd(String name, Runnable end, Runnable start) {
    faults.add(
        ServerFaultCatalog.needsConnections(fixture.promises().lifetime())
            ? NamedFault.taking(name, MOMENT, SHORT_OUTAGE, end, start)
            : NamedFault.survived(name, MOMENT, SHORT_OUTAGE, end, start));
  }

  private void add(String name, Duration shortest, Duration longest, Runnable begin, Runnable end) {
    faults.add(NamedFault.survived(name, shortest, longest, begin, end));
  }

  private static void killAndWipe(Server server) {
    server.kill();
    server.wipe();
  }

  /**
   * Twice as often as anything else, and at last: it alone takes away what is renewed in vain, and
   * what comes of that shows when nothing else strikes.
   */
  static NamedFault revocation(Fixture fixture, List<String> locks) {
    return NamedFault.taking("revocation", () -> locks.forEach(fixture::revoke));
  }

  /** Some of the servers, others each time. */
  private record Some(List<? extends Server> all, int count, Random random, List<Server> chosen) {

    Some(List<? extends Server> all, int count, Random random) {
      this(all, count, random, new ArrayList<>());
    }

    interface Deed {
      void to(Server server);
    }

    Runnable then(Deed deed) {
      return () -> choose().forEach(deed::to);
    }

    List<Server> choose() {
      chosen.clear();
      List<Server> shuffled = new ArrayList<>(all);
      Collections.shuffle(shuffled, random);
      chosen.addAll(shuffled.subList(0, count));
      return chosen;
    }

    /** Side by side: there are some that do not answer before most of them run. */
    Runnable back(Deed deed) {
      return () -> {
        List<CompletableFuture<Void>> all =
            chosen.stream()
                .map(server -> CompletableFuture.runAsync(() -> deed.to(server), Some::onOwnThread))
                .toList();
        all.forEach(CompletableFuture::join);
      };
    }

    private static void onOwnThread(Runnable task) {
      new Thread(task, "nemesis-server").start();
    }
  }
}
