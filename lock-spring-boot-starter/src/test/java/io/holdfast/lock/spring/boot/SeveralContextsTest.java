/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A context below another uses its locks, and leads what it has itself. */
@Timeout(120)
class SeveralContextsTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  /** Has the locks. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration(LeadersAutoConfiguration.class)
  @Import(AboveWork.class)
  static class Above {}

  /** Has none of its own. */
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({HoldfastAutoConfiguration.class, LeadersAutoConfiguration.class})
  @Import(BelowWork.class)
  static class Below {}

  /** Its locks are opened when somebody uses them. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  static class Lazy {

    private static final AtomicInteger OPENED = new AtomicInteger();

    @Bean
    ClientObserver observer() {
      return (scenario, client) -> OPENED.incrementAndGet();
    }
  }

  @Leads("above")
  static class AboveWork extends Idle {}

  @Leads("below")
  static class BelowWork extends Idle {}

  static class Idle implements Work {

    @Override
    public void start(Lease lease) {}

    @Override
    public void stop(StopReason reason) {}
  }

  private static ConfigurableApplicationContext above() {
    return new SpringApplicationBuilder(Above.class).web(WebApplicationType.NONE).run();
  }

  private static ConfigurableApplicationContext below(ConfigurableApplicationContext above) {
    return new SpringApplicationBuilder(Below.class)
        .parent(above)
        .web(WebApplicationType.NONE)
        .run();
  }

  @Test
  void oneThatIsClosedLeavesTheLocksOfTheOneAbove() throws Exception {
    Lease held;
    try (ConfigurableApplicationContext above = above()) {
      LockClient client = above.getBean(LockClient.class);
      try (ConfigurableApplicationContext below = below(above)) {
        assertSame(client, below.getBean(LockClient.class));
        held = client.lock("held").acquire();
      }
      assertTrue(held.isValid());
      client.lock("another").acquire().release();
    }
    assertFalse(held.isValid());
  }

  /** Also after one below it was closed, which the one above hears of. */
  @Test
  void oneThatIsStoppedKeepsItsLocksAndMayBeStartedAgain() throws Exception {
    try (ConfigurableApplicationContext above = above()) {
      below(above).close();
      LockClient client = above.getBean(LockClient.class);
      Lease held = client.lock("held").acquire();
      above.stop();
      assertTrue(held.isValid());
      above.start();
      client.lock("another").acquire().release();
      leads(above, "above");
      held.release();
    }
  }

  @Test
  void eachLeadsWhatItHas() {
    try (ConfigurableApplicationContext above = above();
        ConfigurableApplicationContext below = below(above)) {
      leads(above, "above");
      leads(below, "below");
    }
  }

  private static void leads(ConfigurableApplicationContext context, String election) {
    Leaders leaders = context.getBean(Leaders.class);
    Conditions.until(election + " is led", SOON, () -> leaders.isLeader(election));
  }

  @Test
  void locksThatNobodyUsedAreNotOpenedToBeClosed() {
    new SpringApplicationBuilder(Lazy.class)
        .web(WebApplicationType.NONE)
        .lazyInitialization(true)
        .run()
        .close();
    assertEquals(0, Lazy.OPENED.get());
  }
}
