/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.spring.Locked;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What a user's test has: the application's locks in memory, and their server at hand. */
class MemoryLocksTest {

  /** Uses a scenario. */
  public static class Payments {

    @Locked(name = "account", key = "#account", scenario = "financial")
    public boolean pay(String account, Runnable work) {
      work.run();
      return true;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @Import(Payments.class)
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @Import(Mistyped.class)
  static class MistypedApplication {}

  /** Uses a scenario that there is not. */
  public static class Mistyped {
    @Locked(name = "n", scenario = "finnancial")
    public void pay() {}
  }

  private static ConfigurableApplicationContext run(Class<?> application) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties(
            "holdfast.backend.main.url=redis://nowhere",
            "holdfast.scenario.default.ttl=3s",
            "holdfast.scenario.default.permits=3",
            "holdfast.scenario.batch.permits=5")
        .run();
  }

  @Test
  void theServerIsABeanAndHasTheLocksOfAll() throws Exception {
    ConfigurableApplicationContext context = run(Application.class);
    MemoryServer server = context.getBean(MemoryServer.class);
    LockClient client = context.getBean(LockClient.class);
    assertTrue(
        context
            .getBean(Payments.class)
            .pay("7", () -> assertTrue(server.owners().containsKey("account:7"))));
    assertTrue(server.owners().isEmpty());
    assertSame(client, context.getBean(Scenarios.class).forScenario("financial").client());
    assertEquals(Duration.ofSeconds(3), client.lock("x").options().ttl());

    assertEquals(3, client.semaphore("w").capacity());
    assertEquals(
        5, context.getBean(Scenarios.class).forScenario("batch").semaphore("w").capacity());

    Lease lease = client.lock("x").acquire();
    assertTrue(server.revoke("x"));
    lease.loss().get(10, TimeUnit.SECONDS);

    Lease held = client.lock("y").acquire();
    context.getBean(LockTemplate.class).call(client.lock("z"), own -> own.fencingToken());
    context.close();
    assertFalse(held.isValid());
    assertTrue(server.owners().isEmpty());
  }

  @Test
  void aScenarioThatThereIsNotFailsTheStart() {
    RuntimeException thrown =
        assertThrows(RuntimeException.class, () -> run(MistypedApplication.class));
    Throwable cause = thrown instanceof BeanCreationException ? thrown.getCause() : thrown;
    LockConfigurationException refused = assertInstanceOf(LockConfigurationException.class, cause);
    assertTrue(String.valueOf(refused.getMessage()).contains("did you mean 'financial'?"));
  }
}
