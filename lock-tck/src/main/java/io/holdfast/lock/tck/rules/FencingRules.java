/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.Capabilities.Fencing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** FN: tokens only grow. */
public final class FencingRules {

  /** So many that others are a quorum although some votes are given and one server is away. */
  private static final int VOTERS = 5;

  @Rule("FN-1")
  public void tokensArePositiveAndGrow(Bench bench) throws InterruptedException {
    promised(bench);
    List<LockClient> clients = List.of(bench.client(), bench.client());
    long last = 0;
    for (int i = 0; i < 40; i++) {
      long token = token(clients.get(i % 2), bench);
      bench.check(token > last, token + " after " + last);
      last = token;
    }
  }

  @Rule("FN-2")
  public void tokensGrowAcrossProcesses(Bench bench) throws InterruptedException {
    promised(bench);
    Worker worker = bench.worker();
    LockClient client = bench.client();
    long last = 0;
    for (int i = 0; i < 5; i++) {
      long here = token(client, bench);
      bench.check(here > last, here + " after " + last);
      String answer = worker.ask("acquire " + bench.name() + " " + bench.ttl().toMillis());
      long there = Long.parseLong(answer.split(" ", -1)[1]);
      bench.check(there > here, there + " after " + here);
      worker.ask("release");
      last = there;
    }
  }

  @Rule("FN-3")
  public void tokensGrowWhenNothingIsLeftOfTheLock(Bench bench) throws InterruptedException {
    promised(bench);
    LockClient client = bench.client();
    long before = token(client, bench);
    bench.awaitNothingLeft(Bench.SLACK);
    bench.letPass(bench.ttl());
    long after = token(client, bench);
    bench.check(after > before, after + " after " + before);
  }

  @Rule("FN-4")
  public void theTokenOfALeaseNeverChanges(Bench bench) throws InterruptedException {
    promised(bench);
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    long token = lease.fencingToken();
    bench.letPass(bench.ttl().multipliedBy(2));
    lease.extend(bench.ttl());
    bench.checkEquals(token, lease.fencingToken(), "after renewals");
    lease.release();
    bench.checkEquals(token, lease.fencingToken(), "after release");
  }

  @Rule(value = "FN-5", alone = true)
  public void tokensGrowAcrossARestart(Bench bench) throws InterruptedException {
    promised(bench);
    Server server = bench.server();
    LockClient client = bench.client();
    long before = token(client, bench);
    server.stop();
    server.start();
    long after = token(client, bench);
    bench.check(after > before, after + " after " + before);
  }

  @Rule(value = "FN-6", alone = true)
  public void tokensGrowThroughTheLossOfAllData(Bench bench) throws InterruptedException {
    promised(bench);
    if (bench.promises().fencing() != Fencing.THROUGH_DATA_LOSS) {
      throw bench.notPromised("tokens grow only while the server keeps its data");
    }
    Server server = bench.server();
    LockClient client = bench.client();
    long before = token(client, bench);
    server.kill();
    server.wipe();
    server.start();
    long after = token(client, bench);
    bench.check(after > before, after + " after " + before);
  }

  @Rule("FN-7")
  public void withoutTokensNoNumberIsMadeUp(Bench bench) throws InterruptedException {
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    if (bench.promises().fencing() == Fencing.NONE) {
      bench.expect(UnsupportedOperationException.class, lease::fencingToken);
      throw bench.notPromised("no tokens, and none are made up");
    }
    bench.check(
        lease.fencingToken() > 0, "expected a positive token, but it is " + lease.fencingToken());
  }

  @Rule(value = "FN-8", alone = true)
  public void tokensGrowAcrossACrash(Bench bench) throws InterruptedException {
    promised(bench);
    Server server = bench.server();
    LockClient client = bench.client();
    long before = 0;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 10; j++) {
        long token = token(client, bench);
        bench.check(token > before, token + " after " + before);
        before = token;
      }
      server.kill();
      server.start();
    }
    long after = token(client, bench);
    bench.check(after > before, after + " after " + before);
  }

  @Rule("FN-9")
  public void aVoteThatWasLostSinceDoesNotCount(Bench bench) throws InterruptedException {
    promised(bench);
    TcpProxy late = bench.link();
    int servers = late.ports().size();
    if (servers < VOTERS || bench.promises().survival() != Capabilities.Survival.MINORITY) {
      throw bench.skipped("fewer than five servers vote");
    }
    TcpProxy prompt = bench.link();
    LockClient overtaken = bench.client(late);
    LockClient other = bench.client(prompt);
    LockOptions options = bench.options().withTtl(bench.ttl().multipliedBy(5));
    String name = bench.name();
    int tried = 0;
    // Where numbers follow a clock, those of the two are only mostly near each other.
    for (int round = 0; round < 5; round++) {
      other.lock(name, options).acquire(Bench.SLACK).release();
      bench.awaitNothingLeft(Bench.SLACK);
      for (int server = servers / 2; server < servers; server++) {
        late.stallOne(server, Direction.TO_SERVER);
      }
      prompt.stallOne(servers - 1, Direction.TO_SERVER);
      CompletableFuture<Optional<Lease>> asked = overtaken.lock(name, options).tryAcquireAsync();
      bench.await("some votes", Bench.SLACK, () -> bench.residue().size() >= servers / 2);
      bench.revoke(name);
      Optional<Lease> granted = other.lock(name, options).tryAcquire(Bench.SLACK);
      bench.letPass(Duration.ofMillis(100));
      late.heal();
      Optional<Lease> second = asked.exceptionally(failure -> Optional.empty()).join();
      tried += granted.isPresent() ? 1 : 0;
      if (granted.isPresent() && second.isPresent()) {
        bench.checkTokenGrows(granted.get(), second.get());
      }
      second.ifPresent(Lease::release);
      granted.ifPresent(Lease::release);
      prompt.heal();
      bench.awaitNothingLeft(bench.freeAfterDeath().multipliedBy(5).plus(Bench.SLACK));
    }
    bench.checkInTime(tried > 0, "never granted to another in between");
  }

  private static long token(LockClient client, Bench bench) throws InterruptedException {
    Duration patience = bench.freeAfterDeath().plus(Duration.ofSeconds(15));
    try (Lease lease = client.lock(bench.name(), bench.options()).acquire(patience)) {
      return lease.fencingToken();
    }
  }

  private static void promised(Bench bench) {
    if (bench.promises().fencing() == Fencing.NONE) {
      throw bench.notPromised("no tokens");
    }
  }
}
