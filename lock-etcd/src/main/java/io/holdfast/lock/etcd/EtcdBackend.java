/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.admin.EtcdHealthCheck;
import io.holdfast.lock.etcd.admin.EtcdInspection;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Transactions;
import io.holdfast.lock.etcd.client.Watches;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lock.ClaimServices;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Locks on etcd. The contenders for a lock are keys under its name, each on a lease of its own, and
 * queue by their create revisions: the first owns the lock, and each of the others watches the one
 * ahead of it. (The recipe of etcd's own {@code concurrency} package; not its Lock service, which
 * may tell a waiter that it owns the lock when its lease has ended.)
 *
 * <p><b>Token.</b> The create revision of the owner's key: a number of the whole cluster that grows
 * with each write, also through restarts. It would take etcd thousands of years to reach
 * 2<sup>53</sup>.
 *
 * <p><b>What can go wrong.</b> A member without a majority refuses all that is asked here, so that
 * its clients' validity runs out by their own clocks. A new leader gives all leases their full time
 * once more, so a dead holder may keep its lock for that much longer. The leader before it may
 * still revoke leases that it knew, so keys move to new ones. Etcd counts its leases in whole
 * seconds, and has a least one of its own (2 s, with its usual settings). A key that an
 * administrator deletes is found out by the next renewal. If etcd's data is lost or old data
 * restored, tokens begin anew.
 */
final class EtcdBackend implements LockBackend<EtcdClaim>, HealthCheck {

  private final EtcdConnection connection;
  private final ClaimServices services;
  private final EtcdRenewals renewals;

  EtcdBackend(LockKeys keys, EtcdConnection connection, TimeSource time) {
    this.connection = connection;
    this.services =
        new ClaimServices(
            keys,
            connection,
            new Transactions(connection),
            new Leases(connection, keys.base(), time),
            new Watches(connection, time),
            time);
    this.renewals = new EtcdRenewals(services);
  }

  @Override
  public Capabilities capabilities() {
    return EtcdLockProvider.CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return connection.operationTimeout();
  }

  @Override
  public EtcdClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new EtcdClaim(services, request, signals);
  }

  /** In one transaction, unless etcd has been found to allow fewer operations than usual. */
  @Override
  public boolean decidesTogether() {
    return services.transactions().goTogether();
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<EtcdClaim>> requests) {
    return renewals.renew(requests);
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    return new EtcdHealthCheck(connection).of(ttl);
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new EtcdInspection(services.keys(), connection));
  }

  @Override
  public void close() {
    try {
      services.leases().close().get(connection.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Leases that could not be revoked end by themselves.
    }
    services.watches().close();
    connection.close();
    services.time().close();
  }

  ClaimServices services() {
    return services;
  }
}
