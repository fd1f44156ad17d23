/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateAnswer.Refused;
import io.holdfast.lock.limit.RateAnswer.Undecided;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Scenarios that count permits, on a real server. */
class ScenarioLimiterTest {

  private final RedisServer server = RedisServer.launch();
  private final Map<String, String> settings = new HashMap<>();

  @BeforeEach
  void configure() {
    settings.put("backend.main.url", "redis://localhost:" + server.port());
    settings.put("backend.main.connect-timeout", "30s");
    settings.put("backend.main.command-timeout", "5s");
    settings.put("scenario.rate-limit.permits", "2");
    settings.put("scenario.rate-limit.window", "1h");
    settings.put("scenario.logins.preset", "rate-limit");
    settings.put("scenario.logins.permits", "3");
    settings.put("scenario.logins.window", "1h");
    settings.put("scenario.logins.when-unavailable", "refuse");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RateLimiter open(String scenario) {
    return LockConfig.of(settings).openLimiter(scenario, ClientOptions.defaults());
  }

  @Test
  void processesOfOneScenarioShareItsLimit() {
    try (RateLimiter one = open("rate-limit");
        RateLimiter other = open("rate-limit")) {
      assertEquals(new Granted(1), one.tryAcquire("user:7"));
      assertEquals(new Granted(0), other.tryAcquire("user:7"));
      assertInstanceOf(Refused.class, one.tryAcquire("user:7"));
      assertEquals(new Granted(1), one.tryAcquire("user:8"));
    }
  }

  @Test
  void scenariosOfOneBackendCountApart() {
    settings.put("backend.main.namespace", "shop");
    try (Scenarios scenarios = Scenarios.open(settings)) {
      RateLimiter calls = scenarios.limiterForScenario("rate-limit");
      RateLimiter logins = scenarios.limiterForScenario("logins");
      assertSame(calls, scenarios.limiterForScenario("rate-limit"));
      assertEquals(new Granted(1), calls.tryAcquire("user:7"));
      assertEquals(new Granted(2), logins.tryAcquire("user:7"));
      assertEquals("1", server.command("EXISTS", "shop.rate-limit#rate:user:7"));
      assertEquals("1", server.command("EXISTS", "shop.logins#rate:user:7"));
    }
  }

  @Test
  void theWindowIsOneSecondAndThePresetGoesOnWithoutItsServer() {
    settings.remove("scenario.rate-limit.window");
    try (RateLimiter calls = open("rate-limit");
        RateLimiter logins = open("logins")) {
      assertEquals(new RateLimit(2, Duration.ofSeconds(1), Unanswered.ALLOW), calls.limit());
      server.kill();
      assertTrue(assertInstanceOf(Undecided.class, calls.tryAcquire("user:7")).allowed());
      assertTrue(!assertInstanceOf(Undecided.class, logins.tryAcquire("user:7")).allowed());
    }
  }

  @Test
  void limitersEndWithTheScenariosAndAFailureIsNotRemembered() {
    Scenarios scenarios = Scenarios.open(settings);
    server.kill();
    settings.put("backend.main.connect-timeout", "1s");
    try (Scenarios impatient = Scenarios.open(settings)) {
      assertThrows(
          LockUnavailableException.class, () -> impatient.limiterForScenario("rate-limit"));
      server.start();
      RateLimiter limiter = scenarios.limiterForScenario("rate-limit");
      assertEquals(new Granted(1), limiter.tryAcquire("user:7"));
      scenarios.close();
      assertThrows(LockClosedException.class, () -> limiter.tryAcquire("user:7"));
      assertThrows(LockClosedException.class, () -> scenarios.limiterForScenario("rate-limit"));
      assertThrows(LockClosedException.class, () -> scenarios.limiterForScenario("logins"));
    }
  }

  @Test
  void aWrongRequestIsToldWhatToAskFor() {
    String told = refusal(() -> LockConfig.of(settings).open("logins", ClientOptions.defaults()));
    assertTrue(told.contains("'logins'") && told.contains("RateLimiters.forScenario"), told);
    told = refusal(() -> open("cache"));
    assertTrue(told.contains("'cache'") && told.contains("Locks.forScenario"), told);
    assertTrue(told.contains("'scenario.cache.preset' to 'rate-limit'"), told);
    try (Scenarios scenarios = Scenarios.open(settings)) {
      assertTrue(refusal(() -> scenarios.forScenario("rate-limit")).contains("has no locks"));
      assertTrue(refusal(() -> scenarios.limiterForScenario("cache")).contains("is for locks"));
    }
  }

  @Test
  void theBackendsNameIsInWhatItsSettingsLack() {
    settings.put("backend.main.comand-timeout", "2s");
    String told = refusal(() -> open("logins"));
    assertTrue(told.contains("ackend 'main' of provider 'redis'"), told);
    assertTrue(told.contains("did you mean 'command-timeout'?"), told);
  }

  private static String refusal(Executable call) {
    return String.valueOf(assertThrows(LockConfigurationException.class, call).getMessage());
  }
}
