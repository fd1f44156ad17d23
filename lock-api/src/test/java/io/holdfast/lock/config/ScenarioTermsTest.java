/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.spi.Settings.Value;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The terms of a scenario: its preset's, key by key set otherwise. */
class ScenarioTermsTest {

  @ParameterizedTest
  @CsvSource({"financial,5s,200,5,1500", "cache,2s,50,2,800", "batch,30s,500,10,5000"})
  void presetsHaveTheirTerms(
      String name, String ttl, int firstRetry, int attempts, int renewalMillis) {
    LockOptions options = terms(name).options();
    assertEquals(Duration.parse("PT" + ttl), options.ttl());
    assertEquals(Duration.ofMillis(firstRetry), options.retry().initial());
    assertEquals(OptionalInt.of(attempts), options.retry().maxAttempts());
    assertEquals(Renewal.every(Duration.ofMillis(renewalMillis)), options.renewal());
  }

  @Test
  void passingOnIsBoundedOrOff() {
    assertEquals(HandOver.defaults(), terms("cache").options().handOver());
    assertEquals(HandOver.none(), terms("cache", "hand-over", "none").options().handOver());
    assertEquals(
        new HandOver(HandOver.defaults().maxLeases(), Duration.ofMillis(5)),
        terms("cache", "hand-over", "5ms").options().handOver());
  }

  @Test
  void howLongANameIsHeldIsBoundedByItsKeys() {
    assertEquals(HoldTimes.none(), terms("batch").options().holdTimes());
    assertEquals(
        new HoldTimes(
            Duration.ofSeconds(20), Optional.of(Duration.ofHours(2)), Duration.ofSeconds(5)),
        terms("batch", "min-hold", "20s", "max-hold", "2h", "lock-delay", "5s")
            .options()
            .holdTimes());
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () -> terms("batch", "min-hold", "3h", "max-hold", "2h"));
    assertTrue(String.valueOf(refused.getMessage()).contains("minimum hold"));
  }

  @Test
  void anEarlyWarningHasToBePossible() {
    assertEquals(Optional.empty(), terms("batch").options().earlyWarning());
    assertEquals(
        Optional.of(Duration.ofSeconds(4)),
        terms("financial", "early-warning", "4s").options().earlyWarning());
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class, () -> terms("financial", "early-warning", "5s"));
    assertTrue(String.valueOf(refused.getMessage()).contains("less than the ttl 5 s"));
    refused =
        assertThrows(
            LockConfigurationException.class,
            () -> terms("financial", "early-warning", "1s", "renewal", "none"));
    assertTrue(String.valueOf(refused.getMessage()).contains("'renewal' is none"));
  }

  @Test
  void leadersAndSessionsWaitWithoutEnd() {
    assertEquals(OptionalInt.empty(), terms("leader").options().retry().maxAttempts());
    assertEquals(OptionalInt.empty(), terms("session").options().retry().maxAttempts());
  }

  @Test
  void aLimiterHasALimitThatIsSetByItself() {
    assertEquals(
        Optional.of(new RateLimit(7, Duration.ofSeconds(1), Unanswered.ALLOW)),
        terms("rate-limit", "permits", "7").limit());
    assertEquals(
        Optional.of(new RateLimit(7, Duration.ofMinutes(1), Unanswered.REFUSE)),
        terms(
                "calls",
                "preset",
                "rate-limit",
                "permits",
                "7",
                "window",
                "1m",
                "when-unavailable",
                "refuse")
            .limit());
    assertEquals(Optional.empty(), terms("cache").limit());
    assertEquals(Optional.empty(), terms("rate-limit", "preset", "none").limit());
  }

  @Test
  void howManyPermitsThereAreHasToBeSaid() {
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> terms("rate-limit"));
    String told = String.valueOf(refused.getMessage());
    assertTrue(told.contains("'scenario.rate-limit.permits', for example to 100"), told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          permits          | 0       | from 1 to 1000000
          permits          | many    | from 1 to 1000000
          window           | soon    | positive duration
          window           | 366d    | window must be from
          when-unavailable | perhaps | allow or refuse
          ttl              | 1s      | [backend, permits, preset, when-unavailable, window]
          accept-weaker    | true    | has no setting
          """)
  void aBadLimitIsNamedWithKeyAndSource(String key, String value, String accepted) {
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () ->
                ScenarioTerms.of(
                    "rate-limit",
                    key.equals("permits")
                        ? values(key, value)
                        : values("permits", "5", key, value)));
    String told = String.valueOf(refused.getMessage());
    assertTrue(told.contains("'rate-limit'"), told);
    assertTrue(told.contains(key) && told.contains("line 7"), told);
    assertTrue(told.contains(accepted), told);
  }

  @Test
  void aScenarioMayBeForSemaphoresOrReadWriteLocks() {
    ScenarioTerms exports = terms("exports", "permits", "5");
    assertEquals(OptionalInt.of(5), exports.permits());
    assertEquals(Optional.empty(), exports.limit());
    assertEquals(Sharing.PERMITS, exports.sharing());
    assertEquals(Sharing.READ_WRITE, terms("prices", "sharing", "read-write").sharing());
    assertEquals(Sharing.NONE, terms("prices", "sharing", "none").sharing());
    assertEquals(Sharing.NONE, terms("one", "permits", "1").sharing(), "it is a lock");
    assertEquals(OptionalInt.empty(), terms("rate-limit", "permits", "5").permits());
    assertEquals(
        OptionalInt.of(5), terms("rate-limit", "preset", "none", "permits", "5").permits());
    assertEquals(OptionalInt.of(5), terms("batch", "permits", "5").permits());
  }

  @Test
  void oneNameCannotBeOfTwoKinds() {
    String told =
        String.valueOf(
            assertThrows(
                    LockConfigurationException.class,
                    () -> terms("prices", "permits", "5", "sharing", "read-write"))
                .getMessage());
    assertTrue(told.contains("'permits' (line 7) and 'sharing' = read-write (line 7)"), told);
  }

  @ParameterizedTest
  @EnumSource(value = Preset.class, names = "RATE_LIMIT", mode = EnumSource.Mode.EXCLUDE)
  void aScenarioOfAPresetsNameHasIt(Preset preset) {
    assertEquals(Optional.of(preset), terms(preset.id()).preset());
    assertEquals(Optional.empty(), terms(preset.id(), "preset", "none").preset());
    assertEquals(Optional.of(preset), terms("mine", "preset", preset.id()).preset());
    assertEquals(preset.options(), terms("mine", "preset", preset.id()).options());
  }

  @Test
  void withoutAPresetTheDefaultsHold() {
    assertEquals(LockOptions.defaults(), terms("jobs").options());
    assertEquals(Optional.empty(), terms("jobs").preset());
  }

  @ParameterizedTest
  @CsvSource({"cash,cache", "finacial,financial", "leaders,leader", "ratelimit,rate-limit"})
  void aNameThatIsNearlyAPresetsIsNotTakenForOneWithout(String name, String meant) {
    String told = refusal(name, "ttl", "3s");
    assertTrue(told.startsWith("Scenario '" + name + "' ('ttl': line 7) has no preset;"), told);
    assertTrue(told.contains("did you mean '" + meant + "'?"), told);
    assertTrue(told.contains("'scenario." + name + ".preset'"), told);
    assertEquals(LockOptions.defaults(), terms(name, "preset", "none").options());
    assertEquals(Preset.BATCH.options(), terms(name, "preset", "batch").options());
  }

  @Test
  void termsThatDoNotFitEachOtherAreNamedInWords() {
    String told = refusal("financial", "renewal", "3s");
    assertTrue(told.startsWith("The terms of scenario 'financial' ('renewal': line 7)"), told);
  }

  @Test
  void eachKeyIsSetByItself() {
    LockOptions preset = Preset.FINANCIAL.options();
    LockOptions slow = terms("financial", "ttl", "20s").options();
    assertEquals(preset.withTtl(Duration.ofSeconds(20)), slow);
    assertEquals(
        preset.withRetry(preset.retry().withMaxAttempts(9)),
        terms("financial", "retry-attempts", "9").options());
    assertEquals(
        OptionalInt.empty(),
        terms("financial", "retry-attempts", "unlimited").options().retry().maxAttempts());
    assertEquals(
        preset.withRetry(preset.retry().withJitter(0.25)),
        terms("financial", "retry-jitter", "0.25").options());
    assertEquals(
        preset.withRetry(preset.retry().withPauses(Duration.ofMillis(7), preset.retry().max())),
        terms("financial", "retry-initial", "7ms").options());
    assertEquals(
        preset.withRetry(preset.retry().withPauses(preset.retry().initial(), Duration.ofHours(1))),
        terms("financial", "retry-max", "1h").options());
    assertEquals(
        preset.withRenewal(Renewal.none()), terms("financial", "renewal", "none").options());
    assertEquals(
        preset.withRenewal(Renewal.automatic()), terms("financial", "renewal", "auto").options());
    assertEquals(
        preset.withRenewal(Renewal.every(Duration.ofSeconds(2))),
        terms("financial", "renewal", "2s").options());
    assertTrue(terms("financial", "accept-weaker", "true").acceptWeaker());
    assertEquals(Optional.of("db"), terms("financial", "backend", "db").backend());
  }

  @Test
  void aPresetsTermsGiveWayToSettings() {
    assertEquals(
        Renewal.automatic(), terms("financial", "ttl", "2s").options().renewal(), "1.5 s of 2 s");
    assertEquals(
        Preset.FINANCIAL.options().renewal(), terms("financial", "ttl", "3s").options().renewal());
    assertEquals(
        Duration.ofSeconds(3),
        terms("financial", "retry-initial", "3s").options().retry().max(),
        "longer than the longest pause");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ttl            | soon  | positive duration
          ttl            | 1ms   | 100 ms
          ttl            | 0s    | positive duration
          renewal        | 0s    | auto, none, or a positive duration
          renewal        | often | auto, none, or a positive duration
          renewal        | 3s    | at most half of the ttl
          retry-initial  | x     | positive duration
          retry-max      | 1ms   | retry max
          retry-jitter   | 2     | from 0 to 1
          retry-jitter   | much  | a number from 0 to 1
          retry-attempts | 0     | maxAttempts
          retry-attempts | many  | or unlimited
          preset         | cash  | [financial, cache, leader, batch, session, rate-limit]
          accept-weaker  | maybe | true or false
          permits        | 0     | a whole number from 1 to 1000000
          permits        | many  | a whole number from 1 to 1000000
          sharing        | write | read-write, or none; for a semaphore, set 'permits' instead
          """)
  void aBadValueIsNamedWithKeyValueAndSource(String key, String value, String accepted) {
    String told = refusal("financial", key, value);
    assertTrue(told.contains("'financial'"), told);
    assertTrue(told.contains(key), told);
    assertTrue(told.contains(value.replace("1ms", "1 ms")) || told.contains("3 s"), told);
    assertTrue(told.contains("line 7"), told);
    assertTrue(told.contains(accepted), told);
  }

  @Test
  void anUnknownKeyNamesTheNearest() {
    String told = refusal("cache", "retry-atempts", "3");
    assertTrue(told.contains("'retry-atempts' (line 7)"), told);
    assertTrue(told.contains("did you mean 'retry-attempts'?"), told);
    told = refusal("exports", "permit", "5");
    assertTrue(told.contains("did you mean 'permits'?"), told);
  }

  private static ScenarioTerms terms(String name, String... keysAndValues) {
    return ScenarioTerms.of(name, values(keysAndValues));
  }

  private static Map<String, Value> values(String... keysAndValues) {
    Map<String, Value> values = new TreeMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], new Value(keysAndValues[i + 1], "line 7", false));
    }
    return values;
  }

  private static String refusal(String name, String key, String value) {
    return String.valueOf(
        assertThrows(LockConfigurationException.class, () -> terms(name, key, value)).getMessage());
  }
}
