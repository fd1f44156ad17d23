/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the findings that any kind of server may have. */
class FindingsTest {

  @ParameterizedTest
  @CsvSource({"3,1", "4,1", "5,2", "6,2", "7,3"})
  void aMinorityOfTheServersMayFail(int servers, int mayFail) {
    Finding finding = Findings.majority(servers, "server");
    assertEquals(Severity.OK, finding.severity());
    assertTrue(finding.text().startsWith(mayFail + " of " + servers), finding.text());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void fewerThanThreeServersAreWarnedOf(int servers) {
    assertEquals(Severity.WARNING, Findings.majority(servers, "server").severity());
  }

  @Test
  void aSessionThatEndsAfterTheTtlIsWarnedOf() {
    Duration ttl = Duration.ofSeconds(10);
    assertEquals(
        Severity.OK, Findings.freeAfterSession("It is free", ttl, ttl, "Shorten it").severity());
    Finding late = Findings.freeAfterSession("It is free", ttl.plusMillis(1), ttl, "Shorten it");
    assertEquals(Severity.WARNING, late.severity());
    assertEquals("Shorten it", late.remedy());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LocalHost:6379", "127.0.0.1", "127.9.8.7:2181", "::1", "[::1]:2379"})
  void aPasswordThatDoesNotLeaveTheHostIsAllRight(String where) {
    assertEquals(Optional.empty(), Findings.passwordInPlain(where, "Use TLS"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis:6379",
        "localhost.example.org",
        "notlocalhost",
        "127.0.0.1.example.org",
        "10.127.0.0.1:1",
        "10.0.0.1",
        "[2001:db8::1]:6379",
        ""
      })
  void aPasswordThatGoesElsewhereIsWarnedOf(String where) {
    Finding finding = Findings.passwordInPlain(where, "Use TLS").orElseThrow();
    assertEquals(Severity.WARNING, finding.severity());
    assertEquals(Promise.ACCESS, finding.promise());
    assertEquals("Use TLS", finding.remedy());
  }

  @Test
  void aReportKeepsTheFindingsThatItWasMadeOf() {
    Finding open = Finding.warning(Promise.ACCESS, "It is open", "Shut it");
    List<Finding> gathered = new ArrayList<>(List.of(open));
    ServerReport report = new ServerReport("a:1", "1.0", Optional.empty(), gathered);
    gathered.clear();
    assertEquals(List.of(open), report.findings());
    assertThrows(UnsupportedOperationException.class, () -> report.findings().clear());
  }

  @Test
  void aFindingThatIsNotOkHasARemedy() {
    assertThrows(
        IllegalArgumentException.class, () -> Finding.warning(Promise.ACCESS, "It is open", ""));
    assertThrows(
        IllegalArgumentException.class, () -> Finding.broken(Promise.ACCESS, "It is open", ""));
    assertEquals("", Finding.ok(Promise.ACCESS, "It is shut").remedy());
  }
}
