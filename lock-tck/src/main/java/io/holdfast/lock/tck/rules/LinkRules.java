/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** LC, too: the connections of a client, while it lives and when it is closed. */
public final class LinkRules {

  /** Long enough for a connection to be made and used, on a busy machine as well. */
  private static final Duration LIFE_OF_A_CONNECTION = Duration.ofMillis(100);

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration BREAKING = Duration.ofSeconds(5);

  /**
   * Pauses that grow from 20 to 500 ms let 14 connections be made, more if the machine stands
   * still; without pauses, there are some 50, or 30 on a busy machine.
   */
  private static final long MOST_MADE = 25;

  private static final int LATE_REQUESTS = 20;
  private static final int CLOSINGS = 3;

  @Rule(value = "LC-16", lookAt = "the pauses before a connection is made again")
  public void connectionsThatBreakSoonAreMadeAnewWithPauses(RuleContext context)
      throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    client.lock(context.name() + "-held", context.longTtl()).acquire();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, client, client.lock(context.name(), context.options()));
    // Connections for waiters are made in the background.
    context.letPass(Duration.ofMillis(300));
    int connections = link.connections();
    long before = link.connectionsMade();
    long end = System.nanoTime() + BREAKING.toNanos();
    int breaks = 0;
    while (System.nanoTime() - end < 0) {
      context.letPass(LIFE_OF_A_CONNECTION);
      link.cut();
      breaks++;
    }
    long made = link.connectionsMade() - before;
    context.checkInTime(
        made <= MOST_MADE * Math.max(1, connections),
        "expected at most %d new connections in the place of %d that broke %d times within %s, but %d were made"
            .formatted(
                MOST_MADE * Math.max(1, connections),
                connections,
                breaks,
                TimeText.of(BREAKING),
                made));
    held.release();
    Lease lease = context.get(waiting, context.freeAfterDeath().plus(Duration.ofSeconds(15)));
    Holders.held(lease, "granted after the connections of its client broke");
  }

  @Rule(value = "LC-17", lookAt = "what undoes requests that arrive after close()")
  public void aRequestThatArrivesAfterCloseLeavesNothing(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    client.lock(context.name(), context.longTtl()).acquire().release();
    boolean undone = context.fixture().undoesWhatArrivesAfterClose();
    LockOptions options = undone ? context.longTtl() : context.options();
    link.stall(Direction.TO_SERVER);
    for (int i = 0; i < LATE_REQUESTS; i++) {
      client.lock(context.name() + "-" + i, options).acquireAsync();
    }
    // On their way, and held back.
    context.letPass(LIFE_OF_A_CONNECTION);
    client.close();
    link.heal();
    awaitNoConnection(context, link);
    if (undone) {
      context.awaitNothingLeft(RuleContext.SLACK);
    } else {
      // Leases that have ended may stay at the server for longer, as long as they keep nobody out.
      LockClient next = context.client();
      Duration patience = context.freeAfterDeath().plus(RuleContext.SLACK);
      for (int i = 0; i < LATE_REQUESTS; i++) {
        Optional<Lease> lease = next.lock(context.name() + "-" + i, options).tryAcquire(patience);
        context.checkInTime(
            lease.isPresent(),
            "expected a lock that was taken by a late request to be free after its TTL, but it is refused");
        lease.ifPresent(Lease::release);
      }
      context.awaitNothingLeft(RuleContext.SLACK);
      throw context.notPromised("what arrives after close is taken until its TTL has passed");
    }
  }

  @Rule(value = "LC-18", alone = true, lookAt = "close(): connections that are being made")
  public void closingEndsAllConnections(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    for (int i = 0; i < CLOSINGS; i++) {
      LockClient client = context.client(link);
      client.lock(context.name(), context.options()).acquire(PATIENCE).release();
      // The first is closed with the connections that it has.
      if (i > 0) {
        long before = link.connectionsMade();
        link.stall(Direction.TO_CLIENT);
        link.cut();
        // Some wait for a while, or until they are asked.
        RuleContext.comesTrue(context.ttl(), () -> link.connectionsMade() > before);
      }
      client.close();
      link.heal();
      awaitNoConnection(context, link);
    }
  }

  private static void awaitNoConnection(RuleContext context, TcpProxy link) {
    context.await("no connection of a closed client", PATIENCE, () -> link.connections() == 0);
  }
}
