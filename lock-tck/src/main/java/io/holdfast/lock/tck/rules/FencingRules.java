/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** FN: tokens only grow. */
public final class FencingRules {

  /** So many that others are a quorum although some votes are given and one server is away. */
  private static final int VOTERS = 5;

  @Rule(value = "FN-1", lookAt = "attempt(): where tokens are drawn")
  public void tokensArePositiveAndGrow(RuleContext context) throws InterruptedException {
    promised(context);
    List<LockClient> clients = List.of(context.client(), context.client());
    long last = 0;
    for (int i = 0; i < 40; i++) {
      long token = token(clients.get(i % 2), context);
      context.checkTokenGrows(last, token);
      last = token;
    }
  }

  @Rule(value = "FN-2", lookAt = "attempt(): whether tokens are drawn at the server")
  public void tokensGrowAcrossProcesses(RuleContext context) throws InterruptedException {
    promised(context);
    Worker worker = context.worker();
    LockClient client = context.client();
    long last = 0;
    for (int i = 0; i < 5; i++) {
      long here = token(client, context);
      context.checkTokenGrows(last, here);
      String answer = worker.ask("acquire " + context.name() + " " + context.ttl().toMillis());
      long there = Long.parseLong(answer.split(" ", -1)[1]);
      context.checkTokenGrows(here, there);
      worker.ask("release");
      last = there;
    }
  }

  @Rule(value = "FN-3", lookAt = "where the counter of tokens is kept: not in the lock's key")
  public void tokensGrowWhenNothingIsLeftOfTheLock(RuleContext context)
      throws InterruptedException {
    promised(context);
    LockClient client = context.client();
    long before = token(client, context);
    context.awaitNothingLeft(RuleContext.SLACK);
    context.letPass(context.ttl());
    long after = token(client, context);
    context.checkTokenGrows(before, after);
  }

  @Rule(value = "FN-4", lookAt = "renew() and release(): whether they draw tokens")
  public void theTokenOfALeaseNeverChanges(RuleContext context) throws InterruptedException {
    promised(context);
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    long token = lease.fencingToken();
    context.letPass(context.ttl().multipliedBy(2));
    lease.extend(context.ttl());
    context.checkEquals(token, lease.fencingToken(), "the token after renewals");
    lease.release();
    context.checkEquals(token, lease.fencingToken(), "the token after its release");
  }

  @Rule(value = "FN-5", alone = true, lookAt = "whether the counter of tokens is on disk")
  public void tokensGrowAcrossARestart(RuleContext context) throws InterruptedException {
    promised(context);
    Server server = context.server();
    LockClient client = context.client();
    long before = token(client, context);
    server.stop();
    server.start();
    long after = token(client, context);
    context.checkTokenGrows(before, after);
  }

  @Rule(value = "FN-6", alone = true, lookAt = "what tokens begin with when all data is lost")
  public void tokensGrowThroughTheLossOfAllData(RuleContext context) throws InterruptedException {
    promised(context);
    if (context.promises().fencing() != Fencing.THROUGH_DATA_LOSS) {
      throw context.notPromised("tokens grow only while the server keeps its data");
    }
    Server server = context.server();
    LockClient client = context.client();
    long before = token(client, context);
    server.kill();
    server.wipe();
    server.start();
    long after = token(client, context);
    context.checkTokenGrows(before, after);
  }

  @Rule(value = "FN-7", lookAt = "capabilities(): the fencing that they state")
  public void withoutTokensNoNumberIsMadeUp(RuleContext context) throws InterruptedException {
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    if (context.promises().fencing() == Fencing.NONE) {
      context.expect(UnsupportedOperationException.class, lease::fencingToken);
      throw context.notPromised("no tokens, and none are made up");
    }
    context.check(
        lease.fencingToken() > 0, "expected a positive token, but it is " + lease.fencingToken());
  }

  @Rule(value = "FN-8", alone = true, lookAt = "whether a token is on disk before it is answered")
  public void tokensGrowAcrossACrash(RuleContext context) throws InterruptedException {
    promised(context);
    Server server = context.server();
    LockClient client = context.client();
    long before = 0;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 10; j++) {
        long token = token(client, context);
        context.checkTokenGrows(before, token);
        before = token;
      }
      server.kill();
      server.start();
    }
    long after = token(client, context);
    context.checkTokenGrows(before, after);
  }

  @Rule(value = "FN-9", lookAt = "attempt(): votes of servers that have lost the lock since")
  public void aVoteThatWasLostSinceDoesNotCount(RuleContext context) throws InterruptedException {
    promised(context);
    TcpProxy late = context.link();
    int servers = late.ports().size();
    if (servers < VOTERS || context.promises().survival() != Capabilities.Survival.MINORITY) {
      throw context.skipped("fewer than five servers vote");
    }
    TcpProxy prompt = context.link();
    LockClient overtaken = context.client(late);
    LockClient other = context.client(prompt);
    LockOptions options = context.options().withTtl(context.ttl().multipliedBy(5));
    String name = context.name();
    int tried = 0;
    // Where numbers follow a clock, those of the two are only mostly near each other.
    for (int round = 0; round < 5; round++) {
      other.lock(name, options).acquire(RuleContext.SLACK).release();
      context.awaitNothingLeft(RuleContext.SLACK);
      for (int server = servers / 2; server < servers; server++) {
        late.stallOne(server, Direction.TO_SERVER);
      }
      prompt.stallOne(servers - 1, Direction.TO_SERVER);
      CompletableFuture<Optional<Lease>> asked = overtaken.lock(name, options).tryAcquireAsync();
      context.await("some votes", RuleContext.SLACK, () -> context.residue().size() >= servers / 2);
      Administrator.revoke(context, name);
      Optional<Lease> granted = other.lock(name, options).tryAcquire(RuleContext.SLACK);
      context.letPass(Duration.ofMillis(100));
      late.heal();
      Optional<Lease> second = asked.exceptionally(failure -> Optional.empty()).join();
      tried += granted.isPresent() ? 1 : 0;
      if (granted.isPresent() && second.isPresent()) {
        context.checkTokenGrows(granted.get(), second.get());
      }
      second.ifPresent(Lease::release);
      granted.ifPresent(Lease::release);
      prompt.heal();
      context.awaitNothingLeft(context.freeAfterDeath().multipliedBy(5).plus(RuleContext.SLACK));
    }
    context.checkInTime(
        tried > 0,
        "expected a grant to another client in between, but there was none in five rounds");
  }

  private static long token(LockClient client, RuleContext context) throws InterruptedException {
    Duration patience = context.freeAfterDeath().plus(Duration.ofSeconds(15));
    try (Lease lease = client.lock(context.name(), context.options()).acquire(patience)) {
      return lease.fencingToken();
    }
  }

  private static void promised(RuleContext context) {
    if (context.promises().fencing() == Fencing.NONE) {
      throw context.notPromised("no tokens");
    }
  }
}
