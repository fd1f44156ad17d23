/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.bench.Entry.Trait;
import io.holdfast.lock.servers.PostgresServer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** A client of this project. */
final class HoldfastContestant implements Contestant {

  private final LockClient client;

  HoldfastContestant(LockClient client) {
    this.client = client;
  }

  static Entry entry(String provider, Function<Address, Map<String, String>> settings) {
    return new Entry(
        provider,
        Entry.Kind.OURS,
        "holdfast " + provider,
        new TreeMap<>(settings.apply(Address.parse("..."))).toString(),
        traits(provider),
        address -> new HoldfastContestant(Locks.open(provider, settings.apply(address))));
  }

  private static Set<Trait> traits(String provider) {
    Set<Trait> traits = EnumSet.of(Trait.WAITS, Trait.TAKES_SEVERAL);
    // A transaction, and so a connection, for each row that is held.
    if (!provider.equals("postgres-row")) {
      traits.add(Trait.HOLDS_MANY);
    }
    Capabilities.Sharing sharing = Locks.provider(provider).capabilities().sharing();
    if (sharing != Capabilities.Sharing.NONE) {
      traits.add(Trait.SHARES);
    }
    if (sharing.hasSemaphores()) {
      traits.add(Trait.COUNTS);
    }
    return traits;
  }

  static Entry postgres(String provider) {
    return entry(
        provider,
        address ->
            Map.of(
                "url",
                Postgres.url(address),
                "username",
                PostgresServer.USER,
                "create-schema",
                "true"));
  }

  @Override
  public Held take(String key) throws InterruptedException {
    DistributedLock lock = client.lock(key);
    Lease lease = lock.acquire();
    return lease::release;
  }

  @Override
  public Held takeAll(List<String> keys) throws InterruptedException {
    Lease lease = client.allOf(keys).acquire();
    return lease::release;
  }

  @Override
  public Held takeRead(String key) throws InterruptedException {
    Lease lease = client.readWriteLock(key).readLock().acquire();
    return lease::release;
  }

  @Override
  public Held takeWrite(String key) throws InterruptedException {
    Lease lease = client.readWriteLock(key).writeLock().acquire();
    return lease::release;
  }

  @Override
  public Held takePermit(String key, int permits) throws InterruptedException {
    Lease lease = client.semaphore(key, permits).permit().acquire();
    return lease::release;
  }

  @Override
  public void close() {
    client.close();
  }
}
