/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.scenario;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.LockConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which backend a rate limit gets, of all providers that there are. */
class RateLimitChoiceTest {

  @Test
  void aBackendOfLocksOnlyIsRefusedAndCannotBeAccepted() {
    LockConfig config =
        LockConfig.of(
            Map.of(
                "backend.main.url", "zookeeper://localhost:1",
                "scenario.logins.preset", "rate-limit",
                "scenario.logins.permits", "3"));
    String told =
        String.valueOf(
            assertThrows(
                    LockConfigurationException.class,
                    () -> config.openLimiter("logins", ClientOptions.defaults()))
                .getMessage());
    assertTrue(told.contains("provider 'zookeeper' lacks counting of permits"), told);
    assertTrue(told.endsWith("these meet them: [redis]"), told);
  }
}
