/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Opening, sharing and closing, on a real server. */
class ScenariosTest {

  private static RedisServer server;
  private static String url;

  @BeforeAll
  static void start() {
    server = RedisServer.launch();
    url = "redis://localhost:" + server.port();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Map<String, String> two() {
    Map<String, String> settings = new HashMap<>();
    for (String backend : List.of("a", "b")) {
      settings.put("backend." + backend + ".url", url);
      settings.put("backend." + backend + ".connect-timeout", "30s");
      settings.put("backend." + backend + ".command-timeout", "5s");
    }
    settings.put("backend.b.namespace", "other");
    settings.put("scenario.cache.backend", "a");
    settings.put("scenario.pages.backend", "a");
    settings.put("scenario.jobs.backend", "b");
    settings.put("scenario.jobs.ttl", "7s");
    return settings;
  }

  @Test
  void scenariosOfOneBackendShareItsClient() throws InterruptedException {
    try (Scenarios scenarios = Scenarios.open(two())) {
      ScenarioLocks cache = scenarios.forScenario("cache");
      ScenarioLocks pages = scenarios.forScenario("pages");
      ScenarioLocks jobs = scenarios.forScenario("jobs");
      assertSame(cache, scenarios.forScenario("cache"));
      assertSame(cache.client(), pages.client());
      assertNotSame(cache.client(), jobs.client());
      try (Lease lease = cache.lock("x").acquire()) {
        assertTrue(lease.isValid());
        assertEquals(Optional.empty(), pages.lock("x").tryAcquire(), "one lock");
        jobs.lock("x").acquire().close();
      }
    }
  }

  @Test
  void aLockHasTheTermsOfItsScenario() {
    try (Scenarios scenarios = Scenarios.open(two())) {
      assertEquals(Preset.CACHE.options(), scenarios.forScenario("cache").lock("x").options());
      assertEquals(Duration.ofSeconds(7), scenarios.forScenario("jobs").lock("x").options().ttl());
    }
    try (LockClient client = LockConfig.of(two()).open("jobs", ClientOptions.defaults())) {
      assertEquals(Duration.ofSeconds(7), client.lock("x").options().ttl());
    }
  }

  @Test
  void aSemaphoreHasThePermitsOfItsScenario() throws InterruptedException {
    Map<String, String> settings =
        Map.of(
            "backend.main.url", url,
            "backend.main.connect-timeout", "30s",
            "backend.main.command-timeout", "5s",
            "scenario.exports.permits", "5",
            "scenario.exports.ttl", "7s",
            "scenario.prices.sharing", "read-write");
    try (Scenarios scenarios = Scenarios.open(settings);
        LockClient client = LockConfig.of(settings).open("exports", ClientOptions.defaults())) {
      DistributedSemaphore exports = scenarios.forScenario("exports").semaphore("e");
      assertEquals(5, exports.capacity());
      assertEquals(Duration.ofSeconds(7), exports.options().ttl());
      assertEquals(5, client.semaphore("e").capacity());
      assertEquals(5, client.within("x").semaphore("e").capacity());
      try (Lease four = exports.permits(4).acquire();
          Lease one = client.semaphore("e").permit().acquire()) {
        assertTrue(four.isValid() && one.isValid());
        assertEquals(Optional.empty(), exports.permit().tryAcquire());
      }
      ScenarioLocks prices = scenarios.forScenario("prices");
      try (Lease read = prices.readWriteLock("p").readLock().acquire()) {
        assertTrue(read.isValid());
        assertEquals(Optional.empty(), client.readWriteLock("p").writeLock().tryAcquire());
      }
      String told = refused(() -> prices.semaphore("e"));
      assertTrue(told.contains("'scenario.prices.permits', for example to 5"), told);
      told = refused(() -> prices.client().semaphore("e"));
      assertTrue(told.contains("Semaphore 'e' was asked for without a number"), told);
    }
  }

  private static String refused(Executable asking) {
    return String.valueOf(assertThrows(LockConfigurationException.class, asking).getMessage());
  }

  @Test
  void oneFileServesAClientAndScenarios() throws InterruptedException {
    Map<String, String> both =
        Map.of(
            "provider", "redis",
            "uri", url,
            "connect-timeout", "30s",
            "command-timeout", "5s",
            "scenario.cache.ttl", "3s");
    try (LockClient client = Locks.open(both);
        Scenarios scenarios = Scenarios.open(both)) {
      try (Lease lease = client.lock("both").acquire()) {
        assertTrue(lease.isValid());
        ScenarioLocks cache = scenarios.forScenario("cache");
        assertEquals("default", cache.scenario().backend());
        assertEquals(Optional.empty(), cache.lock("both").tryAcquire());
      }
    }
  }

  @Test
  void theFirstOpensForAll() throws Exception {
    int callers = 16;
    ExecutorService executor = Executors.newFixedThreadPool(callers);
    try (Scenarios scenarios = Scenarios.open(two())) {
      CyclicBarrier start = new CyclicBarrier(callers);
      List<Future<LockClient>> asked = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        String scenario = i % 2 == 0 ? "cache" : "pages";
        asked.add(
            executor.submit(
                () -> {
                  start.await();
                  return scenarios.forScenario(scenario).client();
                }));
      }
      Set<LockClient> clients = new HashSet<>();
      for (Future<LockClient> one : asked) {
        clients.add(one.get());
      }
      assertEquals(1, clients.size());
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void closingReleasesAndRefuses() throws InterruptedException {
    Scenarios scenarios = Scenarios.open(two());
    ScenarioLocks cache = scenarios.forScenario("cache");
    Lease lease = cache.lock("closing").acquire();
    scenarios.close();
    scenarios.close();
    assertTrue(!lease.isValid());
    assertEquals("", server.command("GET", "lock:closing").replace("(nil)", ""));
    assertThrows(LockClosedException.class, () -> cache.lock("closing"));
    assertThrows(LockClosedException.class, () -> scenarios.forScenario("cache"));
    assertThrows(LockClosedException.class, () -> scenarios.forScenario("jobs"));
  }

  @Test
  void closingWhileOthersOpenLeavesNoClient() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 20; round++) {
        Scenarios scenarios = Scenarios.open(two());
        CyclicBarrier start = new CyclicBarrier(5);
        List<Future<Optional<LockClient>>> asked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          asked.add(
              executor.submit(
                  () -> {
                    start.await();
                    try {
                      return Optional.of(scenarios.forScenario("cache").client());
                    } catch (LockClosedException e) {
                      return Optional.empty();
                    }
                  }));
        }
        start.await();
        scenarios.close();
        for (Future<Optional<LockClient>> one : asked) {
          Optional<LockClient> client = one.get();
          client.ifPresent(open -> assertThrows(LockClosedException.class, () -> open.lock("x")));
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void aFailureIsNotRemembered() throws InterruptedException {
    RedisServer mine = RedisServer.launch();
    try (mine;
        Scenarios scenarios =
            Scenarios.open(
                Map.of(
                    "backend.main.url",
                    "redis://localhost:" + mine.port(),
                    "backend.main.command-timeout",
                    "5s"))) {
      mine.kill();
      assertThrows(LockUnavailableException.class, () -> scenarios.forScenario("cache"));
      mine.start();
      scenarios.forScenario("cache").lock("x").acquire().close();
    }
  }

  @Test
  void aWeakerBackendIsLoggedOnce() {
    Map<String, String> settings =
        Map.of(
            "backend.main.url", url,
            "backend.main.command-timeout", "5s",
            "scenario.financial.accept-weaker", "true");
    try (CapturedLog log = new CapturedLog();
        Scenarios scenarios = Scenarios.open(settings)) {
      scenarios.forScenario("financial");
      scenarios.forScenario("financial");
      scenarios.forScenario("cache");
      List<String> warnings = log.warnings(LockConfig.class.getName());
      assertEquals(1, warnings.size(), warnings::toString);
      String told = warnings.get(0);
      assertTrue(told.contains("'financial'") && told.contains("wall clock"), told);
    }
  }
}
