/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static io.holdfast.lock.servers.Conditions.until;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Retry;
import io.holdfast.lock.memory.MemoryServer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client to which everything happens that has a meter, and a page to scrape. */
final class Traffic implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final LockOptions OPTIONS =
      LockOptions.defaults()
          .withTtl(Duration.ofMillis(900))
          .withEarlyWarning(Duration.ofMillis(500))
          .withRetry(Retry.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(50)));

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MemoryServer server = new MemoryServer();
  private final LockClient client = client();
  private final LockClient other = client();
  private final HttpServer page;
  private Lease kept;

  Traffic() throws IOException, InterruptedException {
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public DistributionStatisticConfig configure(
                  Meter.Id id, DistributionStatisticConfig config) {
                return DistributionStatisticConfig.builder()
                    .percentilesHistogram(true)
                    .build()
                    .merge(config);
              }
            });
    HoldfastMeters.bind(
        client, registry, MeterOptions.defaults().withClientName("redis").withFamiliesByPrefix());
    kept = client.lock("orders:kept").acquire();
    page = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    page.createContext(
        "/metrics",
        exchange -> {
          byte[] body = registry.scrape().getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    page.start();
  }

  private LockClient client() {
    return server.open(ClientOptions.defaults().withLockOptions(OPTIONS));
  }

  int port() {
    return page.getAddress().getPort();
  }

  String scrape() {
    return registry.scrape();
  }

  /** Contention, a hand-over, a loss, and an outage in which renewals fail. */
  void round() throws InterruptedException {
    Lease foreign = other.lock("orders:1").acquire();
    CompletableFuture<Lease> first = client.lock("orders:1").acquireAsync();
    CompletableFuture<Lease> second = client.lock("orders:1").acquireAsync();
    // The other's lease is lost by itself where the machine stands still.
    until("a waiter", PATIENCE, () -> server.waiters() > 0 || first.isDone());
    foreign.release();
    first.join().release();
    second.join().release();

    Lease revoked = client.lock("orders:2").acquire();
    server.revoke("orders:2");
    until("a loss", PATIENCE, () -> !revoked.isValid());

    double before = failedRenewals();
    double warned = warnings();
    server.goAway();
    // It may have been lost meanwhile, or just before.
    until("a renewal that fails", PATIENCE, () -> failedRenewals() > before || !kept.isValid());
    until("an early warning", PATIENCE, () -> warnings() > warned || !kept.isValid());
    CompletableFuture<Lease> unanswered = client.lock("orders:3").acquireAsync();
    double failed = failedAttempts();
    until("attempts that fail", PATIENCE, () -> failedAttempts() > failed + 1);
    server.comeBack();
    unanswered.join().release();
    if (!kept.isValid()) {
      kept = client.lock("orders:kept").acquire();
    }
  }

  private double failedRenewals() {
    return count("holdfast.lock.renewals");
  }

  private double warnings() {
    return registry.get("holdfast.lock.early.warnings").tags("family", "orders").counter().count();
  }

  private double failedAttempts() {
    return count("holdfast.lock.attempts");
  }

  private double count(String name) {
    return registry.get(name).tags("family", "orders", "outcome", "failed").counter().count();
  }

  @Override
  public void close() {
    page.stop(0);
    client.close();
    other.close();
  }
}
