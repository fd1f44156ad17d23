/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.spi.Capabilities.Fencing;
import java.time.Duration;
import java.util.List;

/** FN: tokens only grow. */
public final class FencingRules {

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
    bench.check(lease.fencingToken() > 0, "not positive: " + lease.fencingToken());
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
