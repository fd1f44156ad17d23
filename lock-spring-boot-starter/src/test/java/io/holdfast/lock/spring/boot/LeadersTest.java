/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** How leaders and workers start and end with the application. */
@Timeout(120)
class LeadersTest {

  @Test
  void whatIsLedMayCloseTheApplication() throws Exception {
    ConfigurableApplicationContext context = ExitingLeader.run();
    context.getBean(ExitingLeader.Purchase.class).lead(context::close).get(30, TimeUnit.SECONDS);
    assertFalse(context.isActive());
  }

  @Test
  void whatIsLedMayEndTheProcess() {
    try (ChildJvm process = ChildJvm.start(ExitingLeader.class)) {
      assertEquals(ExitingLeader.EXIT, process.awaitExit(Duration.ofSeconds(60)));
    }
  }
}
