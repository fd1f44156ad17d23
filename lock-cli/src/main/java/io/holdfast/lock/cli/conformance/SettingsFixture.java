/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.conformance;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Somebody's own servers, known by their settings alone. Nothing is done to them that an
 * application could not do that takes locks in a namespace of its own: links break on this side
 * only, processes that are killed are children of this one, and no lock is taken away unless that
 * is allowed.
 */
final class SettingsFixture implements Fixture {

  /** Always the same: some backends keep a counter for each namespace. */
  static final String NAMESPACE = "holdfast-conformance";

  /** To whole seconds; twice a second it is looked what is over. */
  private static final Duration ROUNDED = Duration.ofMillis(1_600);

  private static final Duration PROBE_PATIENCE = Duration.ofSeconds(10);

  private final Map<String, String> settings;
  private final boolean revokes;
  private final Capabilities promises;
  private final Timing timing;
  private final LockClient looker;
  private final Optional<AddressSetting> address;

  private SettingsFixture(Map<String, String> settings, Duration ttl, boolean revokes) {
    this.settings = settings;
    this.revokes = revokes;
    this.promises = Locks.provider(settings.getOrDefault("provider", "")).capabilities();
    this.looker = Locks.open(settings);
    this.timing = new Timing(ttl, freeAfterDeath(ttl));
    this.address = AddressSetting.in(settings).filter(SettingsFixture::canBeLinked);
  }

  /**
   * Connects.
   *
   * @param backend its settings, but for the namespace
   * @param ttl of the locks of the rules
   * @param revokes whether rules may take locks of theirs away
   */
  static SettingsFixture open(Map<String, String> backend, Duration ttl, boolean revokes) {
    Map<String, String> settings = new HashMap<>(backend);
    settings.put("namespace", NAMESPACE);
    return new SettingsFixture(Map.copyOf(settings), ttl, revokes);
  }

  /**
   * The TTL, and where no time of day but the server's own clock decides, what etcd rounds up. With
   * sessions it is their time-out, of which a lease believes a part, as each backend has it: two
   * thirds and what ZooKeeper rounds up, or nine tenths and the delay of a probe.
   */
  private Duration freeAfterDeath(Duration ttl) {
    if (promises.lifetime() == Capabilities.Lifetime.TTL) {
      boolean rounds = promises.expiryClock() == Capabilities.ExpiryClock.SERVER_MONOTONIC;
      return rounds ? ttl.plus(ROUNDED) : ttl;
    }
    String name = "probe-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);
    LockOptions probe = LockOptions.defaults().withTtl(Duration.ofMinutes(10));
    try (Lease lease = looker.lock(name, probe).acquire(PROBE_PATIENCE)) {
      Duration believed = lease.remaining();
      return promises.lifetime() == Capabilities.Lifetime.SESSION
          ? believed.multipliedBy(9).dividedBy(4)
          : believed.multipliedBy(10).dividedBy(9).plusMillis(300);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockUnavailableException("Interrupted", e);
    }
  }

  /** Whether a client finds its server behind a link. */
  private static boolean canBeLinked(AddressSetting address) {
    try (TcpProxy link = TcpProxy.to(address.host(), address.port())) {
      Locks.open(address.through(link)).close();
      return true;
    } catch (LockException e) {
      return false;
    }
  }

  @Override
  public String name() {
    return settings.getOrDefault("provider", "");
  }

  @Override
  public Capabilities promises() {
    return promises;
  }

  @Override
  public Timing timing() {
    return timing;
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings);
  }

  @Override
  public Optional<TcpProxy> link() {
    return address.map(server -> TcpProxy.to(server.host(), server.port()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return address.map(server -> server.through(link));
  }

  @Override
  public boolean seesResidue() {
    return promises.inspection() != Capabilities.Inspection.NONE;
  }

  /** Holders only: of who waits, an inspector knows nothing. */
  @Override
  public List<String> residue() {
    return looker.inspector().held(Integer.MAX_VALUE).stream().map(LockHolder::lockName).toList();
  }

  @Override
  public boolean allowsEviction() {
    return revokes;
  }

  @Override
  public Revocation revoke(String lockName) {
    return revokes && seesResidue()
        ? Revocation.of(
            looker.inspector().holder(lockName).map(looker.inspector()::evict).orElse(false))
        : Revocation.NOT_POSSIBLE;
  }

  @Override
  public void close() {
    looker.close();
  }
}
