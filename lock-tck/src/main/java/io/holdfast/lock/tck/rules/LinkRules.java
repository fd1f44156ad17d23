/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** LC, too: the connections of a client, while it lives and when it is closed. */
public final class LinkRules {

  /** Long enough for a connection to be made and used. */
  private static final Duration LIFE_OF_A_CONNECTION = Duration.ofMillis(30);

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final int BREAKS = 100;
  private static final int LATE_REQUESTS = 20;
  private static final int CLOSINGS = 3;

  @Rule("LC-16")
  public void connectionsThatBreakSoonAreMadeAnewWithPauses(Bench bench)
      throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    client.lock(bench.name() + "-held", bench.longTtl()).acquire();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = client.lock(bench.name(), bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    // What is made for those who wait is made behind their backs.
    bench.letPass(Duration.ofMillis(300));
    int connections = link.connections();
    long before = link.connectionsMade();
    for (int i = 0; i < BREAKS; i++) {
      bench.letPass(LIFE_OF_A_CONNECTION);
      link.cut();
    }
    long made = link.connectionsMade() - before;
    bench.check(
        made <= (long) BREAKS / 2 * connections,
        "%d connections in the place of %d that broke %d times"
            .formatted(made, connections, BREAKS));
    held.release();
    Lease lease = bench.get(waiting, bench.freeAfterDeath().plus(Duration.ofSeconds(15)));
    Holders.held(lease, "granted after the connections of its client broke");
  }

  @Rule("LC-17")
  public void whatArrivesAfterCloseLeavesNothing(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    client.lock(bench.name(), bench.longTtl()).acquire().release();
    boolean undone = bench.fixture().undoesWhatArrivesAfterClose();
    LockOptions options = undone ? bench.longTtl() : bench.options();
    link.stall(Direction.TO_SERVER);
    for (int i = 0; i < LATE_REQUESTS; i++) {
      client.lock(bench.name() + "-" + i, options).acquireAsync();
    }
    // On their way, and held back.
    bench.letPass(LIFE_OF_A_CONNECTION);
    client.close();
    link.heal();
    awaitNoConnection(bench, link);
    if (undone) {
      bench.awaitNothingLeft(Bench.SLACK);
    } else {
      // What has ended may stay at the server for longer, as long as it keeps nobody out.
      LockClient next = bench.client();
      Duration patience = bench.freeAfterDeath().plus(Bench.SLACK);
      for (int i = 0; i < LATE_REQUESTS; i++) {
        Optional<Lease> lease = next.lock(bench.name() + "-" + i, options).tryAcquire(patience);
        bench.checkInTime(
            lease.isPresent(),
            "expected a lock that was taken by a late request to be free after its TTL, but it is refused");
        lease.ifPresent(Lease::release);
      }
      bench.awaitNothingLeft(Bench.SLACK);
      throw bench.notPromised("what arrives after close is taken until its TTL has passed");
    }
  }

  @Rule(value = "LC-18", alone = true)
  public void closingEndsAllConnections(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    for (int i = 0; i < CLOSINGS; i++) {
      LockClient client = bench.client(link);
      client.lock(bench.name(), bench.options()).acquire(PATIENCE).release();
      // The first is closed with the connections that it has.
      if (i > 0) {
        long before = link.connectionsMade();
        link.stall(Direction.TO_CLIENT);
        link.cut();
        // Some wait for a while, or until they are asked.
        Bench.comesTrue(bench.ttl(), () -> link.connectionsMade() > before);
      }
      client.close();
      link.heal();
      awaitNoConnection(bench, link);
    }
  }

  private static void awaitNoConnection(Bench bench, TcpProxy link) {
    bench.await("no connection of a closed client", PATIENCE, () -> link.connections() == 0);
  }
}
