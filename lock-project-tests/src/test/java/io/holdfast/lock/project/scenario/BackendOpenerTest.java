/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.BackendOpener;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.spi.Settings.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Backends that are opened over connections which an application has already. */
class BackendOpenerTest {

  private final List<String> asked = new ArrayList<>();

  private BackendOpener opener(Optional<LockClient> ready) {
    return (backend, provider, settings, options) -> {
      asked.add(backend + " " + provider + " " + settings + " " + options.clientName());
      return ready;
    };
  }

  @Test
  void isAskedWithTheProvidersSettings() {
    LockConfig config =
        LockConfig.of(
            Map.of(
                "backend.main.provider", "redis",
                "backend.main.namespace", "shop",
                "backend.main.client-name", "till"));
    LockClient ready = Locks.open(Map.of("provider", "memory"));
    try (Scenarios scenarios =
        Scenarios.open(config.withOpener(opener(Optional.of(ready))), ClientOptions.defaults())) {
      assertSame(ready, scenarios.forScenario("cache").client());
      assertSame(ready, scenarios.forScenario("leader").client());
    }
    assertEquals(List.of("main redis {namespace=shop} Optional[till]"), asked);
  }

  @Test
  void aBackendThatItDoesNotOpenIsOpenedByItsAddress() {
    LockConfig config =
        LockConfig.of(Map.of("provider", "memory"))
            .withOpener(opener(Optional.empty()))
            .with(Map.of("scenario.own.ttl", "7s"));
    config.open("own", ClientOptions.defaults()).close();
    assertEquals(List.of("default memory {} Optional.empty"), asked);
  }

  @Test
  void aBackendThatIsOpenedByItsAddressHasItsNameOfTheClient() throws InterruptedException {
    LockConfig config =
        LockConfig.of(Map.of("backend.main.url", "memory:", "backend.main.client-name", "till"));
    ClientOptions options = ClientOptions.defaults().withClientName("shop");
    try (LockClient scenario = config.open("cache", options);
        LockClient same = Locks.open(config.settings("cache"), options)) {
      for (LockClient client : List.of(scenario, same)) {
        try (Lease lease = client.lock("a").acquire()) {
          assertTrue(lease.ownerId().startsWith("till"), lease.ownerId());
        }
      }
    }
  }

  /** Of a client that was refused, nobody has a reference with which to close it. */
  @Test
  void aClientThatIsRefusedOnceItIsOpenIsClosedAndNotRemembered() {
    LockConfig config = LockConfig.of(Map.of("backend.main.provider", "redis"));
    LockClient ready = Locks.open(Map.of("provider", "memory"));
    try (Scenarios scenarios =
        Scenarios.open(
            config.withOpener(opener(Optional.of(ready))),
            ClientOptions.defaults(),
            (scenario, client) -> {
              throw new IllegalStateException("refused, on purpose");
            })) {
      assertThrows(IllegalStateException.class, () -> scenarios.forScenario("cache"));
      assertThrows(LockClosedException.class, () -> ready.lock("a"));
      assertThrows(IllegalStateException.class, () -> scenarios.forScenario("cache"));
      assertEquals(2, asked.size(), asked.toString());
    }
  }

  /** Or scenarios of one backend would use up each other's permits. */
  @Test
  void forALimiterItIsAskedWithTheNamespaceOfTheScenario() {
    BackendOpener opener =
        new BackendOpener() {
          @Override
          public Optional<LockClient> open(
              String backend, String provider, Map<String, String> settings, ClientOptions terms) {
            throw new AssertionError("a limiter needs no locks");
          }

          @Override
          public Optional<RateLimiter> openLimiter(
              String backend,
              String provider,
              Map<String, String> settings,
              RateLimit limit,
              ClientOptions terms) {
            asked.add(backend + " " + provider + " " + settings + " " + limit.permits());
            throw new LockUnavailableException("not to be opened here");
          }
        };
    LockConfig config =
        LockConfig.of(
                Map.of(
                    "backend.main.provider", "redis",
                    "backend.main.namespace", "shop",
                    "scenario.logins.preset", "rate-limit",
                    "scenario.logins.permits", "3"))
            .withOpener(opener);
    assertThrows(
        LockUnavailableException.class,
        () -> config.openLimiter("logins", ClientOptions.defaults()));
    assertEquals(List.of("main redis {namespace=shop.logins} 3"), asked);
  }

  @Test
  void messagesSayWhereAValueWasWritten() {
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () ->
                LockConfig.ofValues(
                    Map.of("scenario.own.ttl", new Value("soon", "application.yml - 7:9", false))));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("(application.yml - 7:9)"),
        refused::getMessage);
  }
}
