/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.Demand;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.config.Scenario;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests which backend a scenario gets, of all providers that there are, and what is said if none.
 */
class ScenarioChoiceTest {

  private static final String REDIS = "redis://localhost:6379";
  private static final String REDLOCK = "redis://a:6379, redis://b:6379, redis://c:6379";
  private static final String ZOOKEEPER = "zookeeper://a:2181,b:2181/app";
  private static final String ETCD = "etcd://a:2379,b:2379";
  private static final String POSTGRES = "jdbc:postgresql://localhost:5432/app";

  @ParameterizedTest
  @CsvSource({
    "financial,postgres-advisory postgres-row zookeeper etcd memory",
    "cache,redis redlock zookeeper etcd postgres-advisory postgres-table postgres-row memory",
    "leader,redis redlock zookeeper etcd postgres-advisory postgres-table memory",
    "batch,redlock zookeeper etcd",
    "session,postgres-row",
    "rate-limit,redis"
  })
  void aPresetTakesThoseThatMeetItsDemands(String name, String providers) {
    Preset preset = Preset.of(name).orElseThrow();
    assertEquals(
        new TreeSet<>(Arrays.asList(providers.split(" "))),
        Locks.providers().stream()
            .filter(provider -> preset.lackedBy(Locks.provider(provider)).isEmpty())
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** To look for the providers takes time, and an application asks several times as it starts. */
  @Test
  void isDecidedOnce() {
    LockConfig config = LockConfig.of(Map.of("url", REDIS));
    assertSame(config.scenario("cache"), config.scenario("cache"));
  }

  @ParameterizedTest
  @EnumSource(Preset.class)
  void theRecommendedBackendExistsAndIsAccepted(Preset preset) {
    for (String provider : preset.recommended()) {
      assertEquals(List.of(), preset.lackedBy(Locks.provider(provider)), provider);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        REDIS + "|redis",
        "rediss://u:p@host:6379/3|redis",
        "redis-sentinel://a:26379,b:26379#m|redis",
        "redis-cluster://a:6379,b:6379|redis",
        REDLOCK + "|redlock",
        ZOOKEEPER + "|zookeeper",
        ETCD + "|etcd",
        "etcds://a:2379|etcd",
        "memory:|memory"
      })
  void anAddressNamesItsProvider(String url, String provider) {
    assertEquals(provider, scenario("cache", "backend.main.url", url).provider());
    assertEquals("main", scenario("cache", "backend.main.url", url).backend());
  }

  @ParameterizedTest
  @CsvSource({
    "financial,db,postgres-advisory",
    "cache,fast,redis",
    "leader,zoo,zookeeper",
    "batch,kv,etcd",
    "session,db,postgres-row",
    "rate-limit,fast,redis"
  })
  void ofManyAddressesAPresetTakesWhatSuitsItBest(String name, String backend, String provider) {
    Scenario decided =
        scenario(
            name,
            "backend.fast.url",
            REDIS,
            "backend.many.url",
            REDLOCK,
            "backend.zoo.url",
            ZOOKEEPER,
            "backend.kv.url",
            ETCD,
            "backend.db.url",
            POSTGRES,
            "scenario.rate-limit.permits",
            "100");
    assertEquals(backend, decided.backend());
    assertEquals(provider, decided.provider());
    assertEquals(List.of(), decided.accepted());
  }

  @Test
  void aFlatFileIsABackendToo() {
    Scenario decided = scenario("cache", "provider", "redis", "uri", REDIS);
    assertEquals("default", decided.backend());
    assertEquals("redis", decided.provider());
  }

  @Test
  void aWeakBackendIsRefusedWithReasonsAndRemedies() {
    String told = refusal("financial", "backend.main.url", REDIS);
    assertTrue(told.contains("'financial'") && told.contains("'main'"), told);
    assertTrue(told.contains("provider 'redis'"), told);
    assertTrue(told.contains(Demand.MONOTONIC_CLOCK.text()), told);
    assertTrue(told.contains(Demand.MONOTONIC_CLOCK.lack()), told);
    assertFalse(told.contains(Demand.FENCING.text()), told);
    assertTrue(told.contains("[postgres-advisory, zookeeper, etcd, postgres-row"), told);
    assertTrue(told.contains("'scenario.financial.accept-weaker'"), told);
    told = refusal("jobs", "backend.db.url", POSTGRES, "scenario.jobs.preset", "batch");
    assertTrue(told.contains("'scenario.jobs.accept-weaker'"), told);
    assertTrue(told.contains("[etcd, zookeeper, redlock]"), told);
  }

  @Test
  void aWeakBackendCanBeAccepted() {
    Scenario decided =
        scenario(
            "financial", "backend.main.url", REDIS, "scenario.financial.accept-weaker", "true");
    assertEquals("redis", decided.provider());
    assertEquals(List.of(Demand.MONOTONIC_CLOCK), decided.accepted());
  }

  @Test
  void boundsOnTimeAreDemandsToo() {
    String told =
        refusal(
            "jobs",
            "backend.zoo.url",
            ZOOKEEPER,
            "scenario.jobs.lock-delay",
            "5s",
            "scenario.jobs.accept-weaker",
            "true");
    assertTrue(told.contains(Demand.LOCK_DELAY.text()), told);
    assertTrue(told.contains("redis") && told.contains("postgres-table"), told);
    assertFalse(told.contains("accept-weaker"), told);
    told = refusal("session", "backend.db.url", POSTGRES, "scenario.session.min-hold", "5s");
    assertTrue(told.contains(Demand.MINIMUM_HOLD.text()), told);
    Scenario decided =
        scenario("jobs", "backend.db.url", POSTGRES, "scenario.jobs.lock-delay", "5s");
    assertEquals("postgres-table", decided.provider());
  }

  @Test
  void theKindOfANameIsADemandToo() {
    String told =
        refusal(
            "exports",
            "backend.main.url",
            REDLOCK,
            "scenario.exports.permits",
            "5",
            "scenario.exports.accept-weaker",
            "true");
    assertTrue(told.contains("lacks " + Demand.SEMAPHORES.text()), told);
    assertTrue(
        told.contains("these meet them: [etcd, memory, postgres-table, redis, zookeeper]"), told);
    assertFalse(told.contains("accept-weaker"), told);
    assertEquals(
        "zookeeper",
        scenario("prices", "backend.zoo.url", ZOOKEEPER, "scenario.prices.sharing", "read-write")
            .provider());
    told = refusal("prices", "backend.main.url", REDLOCK, "scenario.prices.sharing", "read-write");
    assertTrue(told.contains("lacks " + Demand.READ_WRITE_LOCKS.text()), told);
    assertTrue(told.contains("zookeeper"), told);
    Scenario decided =
        scenario("exports", "backend.db.url", POSTGRES, "scenario.exports.permits", "5");
    assertEquals("postgres-table", decided.provider());
    assertEquals(OptionalInt.of(5), decided.permits());
  }

  /** Or its calls would be refused when the application asks for the first lock. */
  @ParameterizedTest
  @CsvSource({
    "min-hold, 5s, postgres-row, MINIMUM_HOLD",
    "lock-delay, 5s, zookeeper, LOCK_DELAY",
    "sharing, read-write, redlock, READ_WRITE_LOCKS",
    "permits, 5, redlock, SEMAPHORES"
  })
  void aBackendWhoseLocksWouldRefuseTheTermsIsNotAccepted(
      String key, String value, String provider, Demand lacking) {
    String told =
        refusal(
            "jobs",
            "backend.main.provider",
            provider,
            "scenario.jobs." + key,
            value,
            "scenario.jobs.accept-weaker",
            "true");
    assertTrue(told.contains("lacks " + lacking.text()), told);
    assertFalse(told.contains("accept-weaker"), told);
  }

  @Test
  void acceptingIsNotPreferring() {
    Scenario decided =
        scenario(
            "financial",
            "backend.fast.url",
            REDIS,
            "backend.zoo.url",
            ZOOKEEPER,
            "scenario.financial.accept-weaker",
            "true");
    assertEquals("zookeeper", decided.provider());
    assertEquals(List.of(), decided.accepted());
  }

  @Test
  void noBackendIsPickedByChance() {
    String told = refusal("cache", "backend.a.url", REDIS, "backend.b.url", REDIS);
    assertTrue(told.contains("'a'") && told.contains("'b'"), told);
    assertTrue(told.contains("scenario.cache.backend"), told);
    told = refusal("jobs", "backend.db.url", POSTGRES, "scenario.jobs.ttl", "9s");
    assertTrue(told.contains("postgres-row") && told.contains("backend.db.provider"), told);
    assertEquals(
        "b",
        scenario(
                "cache",
                "backend.a.url",
                REDIS,
                "backend.b.url",
                REDIS,
                "scenario.cache.backend",
                "b")
            .backend());
  }

  @Test
  void unknownNamesNameTheNearest() {
    String told = refusal("finacial", "backend.main.url", REDIS);
    assertTrue(told.contains("'finacial'") && told.contains("'financial'"), told);
    told = refusal("cache", "backend.main.url", REDIS, "scenario.cache.backend", "mian");
    assertTrue(told.contains("'mian' (in the given map)") && told.contains("'main'"), told);
    told = refusal("cache", "backend.main.provider", "rediss", "backend.main.uri", REDIS);
    assertTrue(told.contains("'main'") && told.contains("did you mean 'redis'?"), told);
    assertTrue(told.contains("in the given map"), told);
  }

  @Test
  void missingSettingsAreNamed() {
    String told = refusal("cache");
    assertTrue(told.contains("backend.main.url"), told);
    told = refusal("cache", "backend.main.namespace", "x");
    assertTrue(told.contains("'backend.main.url' or 'backend.main.provider'"), told);
    assertTrue(told.startsWith("Backend 'main' ('namespace': in the given map) needs"), told);
    told = refusal("cache", "uri", REDIS);
    assertTrue(told.contains("'default' ('uri': in the given map)"), told);
    assertTrue(told.contains("'provider' alone is enough"), told);
    told = refusal("cache", "backend.main.url", "reddis://u:hunter@host");
    assertTrue(told.contains("'backend.main.url' (in the given map)"), told);
    assertTrue(told.contains("begins with 'reddis:'") && !told.contains("hunter"), told);
  }

  @Test
  void settingsOfABackendAreRefusedWithTheirSource() {
    String told = openingRefused("backend.main.url", REDIS, "backend.main.comand-timeout", "2s");
    assertTrue(told.contains("Backend 'main' of provider 'redis'"), told);
    assertTrue(told.contains("'comand-timeout' (in the given map)"), told);
    assertTrue(told.contains("did you mean 'command-timeout'?"), told);
    told = openingRefused("backend.main.url", REDIS, "backend.main.command-timeout", "soon");
    assertTrue(told.contains("'soon'") && told.contains("(in the given map)"), told);
    told = openingRefused("backend.main.url", REDIS, "backend.main.uri", REDIS);
    assertTrue(told.contains("'backend.main.url'") && told.contains("'backend.main.uri'"), told);
    told = openingRefused("backend.main.url", REDIS, "backend.main.username", "u");
    assertTrue(told.contains("Backend 'main'") && told.contains("'password'"), told);
    told = openingRefused("backend.main.provider", "etcd", "backend.main.url", REDIS);
    assertTrue(told.contains("is not an address of provider 'etcd'"), told);
  }

  @Test
  void noSecretIsShown() {
    for (String url :
        List.of(
            "zookeeper://u:hunter@host:2181",
            "etcd://u:hunter@host",
            "redis://u:hun?ter@host",
            "jdbc:postgresql://host:x/db?password=hunter")) {
      String told = openingRefused("backend.main.url", url, "scenario.cache.ttl", "5s");
      assertFalse(told.contains("hun"), told);
    }
  }

  private static String openingRefused(String... keysAndValues) {
    LockConfig config = LockConfig.of(map(keysAndValues));
    return refusal(() -> config.open("cache", ClientOptions.defaults()).close());
  }

  private static Scenario scenario(String name, String... keysAndValues) {
    return LockConfig.of(map(keysAndValues)).scenario(name);
  }

  private static String refusal(String name, String... keysAndValues) {
    return refusal(() -> scenario(name, keysAndValues));
  }

  private static String refusal(Executable action) {
    LockConfigurationException refused = assertThrows(LockConfigurationException.class, action);
    return String.valueOf(refused.getMessage());
  }

  private static Map<String, String> map(String... keysAndValues) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    assertEquals(keysAndValues.length / 2, Set.copyOf(map.keySet()).size());
    return map;
  }
}
