/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.List;

/** The reference backend. */
class MemoryFixture implements Fixture {

  static final Capabilities PROMISES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_MONOTONIC,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.OWNER_AND_TOKEN,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.PERMITS);

  final MemoryServer server = new MemoryServer();

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Capabilities promises() {
    return PROMISES;
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofMillis(1500), Duration.ofMillis(1500));
  }

  @Override
  public LockClient open(ClientOptions options) {
    return server.open(options);
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(server.revoke(lockName));
  }

  @Override
  public List<NamedFault> faults() {
    Duration shortest = Duration.ofMillis(100);
    Duration longest = Duration.ofMillis(2_500);
    return List.of(
        NamedFault.survived("cut lines", shortest, longest, server::goAway, server::comeBack),
        NamedFault.survived(
            "late answers",
            shortest,
            longest,
            () -> server.delayAnswers(Duration.ofMillis(400)),
            () -> server.delayAnswers(Duration.ZERO)),
        NamedFault.survived(
            "late requests",
            shortest,
            longest,
            () -> server.delayRequests(Duration.ofMillis(400)),
            () -> server.delayRequests(Duration.ZERO)),
        NamedFault.taking("loss of data", Duration.ZERO, Duration.ZERO, server::forget, () -> {}));
  }

  @Override
  public List<String> residue() {
    return List.copyOf(server.owners().keySet());
  }

  @Override
  public void close() {}
}
